#include "sotto/learn/evidence.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sotto/backprop/gemm.h"
#include "sotto/backprop/lanes.h"
#include "sotto/learn/laplace_likelihood.h"

namespace sotto {
namespace {

void scale_to_one(std::span<float> row) {
  const float largest = *std::max_element(row.begin(), row.end());
  if (largest > 0)
    for (float& value : row) value /= largest;
}

Evidence split_evidence(const Channel& channel, const ReportSet& reports, const LabelNoise& noise,
                        const PublicPrior& prior, std::span<const float> membership, std::size_t codes) {
  const auto likelihood = make_report_likelihood(channel, reports.features, prior.points);
  const auto by_code = code_likelihoods(*likelihood, membership, codes).values;
  Evidence evidence{codes, noise.classes, std::vector<float>(reports.labels.size() * codes * noise.classes)};
  for (std::size_t n = 0; n < reports.labels.size(); ++n) {
    const auto given = noise.given_noisy(static_cast<std::size_t>(reports.labels[n]));
    const auto row = std::span(evidence.values).subspan(n * evidence.symbols(), evidence.symbols());
    for (std::size_t code = 0; code < codes; ++code)
      for (std::size_t y = 0; y < noise.classes; ++y)
        row[code * noise.classes + y] = by_code[n * codes + code] * given[y];
    scale_to_one(row);
  }
  return evidence;
}

// A joint report on an L1 ball has one block for each label; the block of the true one holds the point, all others hold
// zero. So label y and point z make the report p(block_y | z) / p(block_y | 0) times as likely as no point at all.
Evidence joint_lattice_evidence(const Channel& channel, const L1Ball& ball, std::size_t classes,
                                const ReportSet& reports, const PublicPrior& prior, std::span<const float> membership,
                                std::size_t codes) {
  const L1Ball block{ball.dimension / classes, ball.resolution};
  const double epsilon = channel.claim().epsilon.to_double();
  const Range window = channel.report_ranges().front();
  const LaplaceLikelihood likelihood(block, epsilon, window, reports.features, prior.points);
  const CodeLikelihoods by_block = code_likelihoods(likelihood, membership, codes);
  const std::vector<std::int64_t> origin(block.dimension, 0);
  const CodeLikelihoods empty =
      code_likelihoods(LaplaceLikelihood(block, epsilon, window, reports.features, origin), std::array{1.0F}, 1);
  const std::size_t count = likelihood.reports() / classes;
  Evidence evidence{codes, classes, std::vector<float>(count * codes * classes)};
  std::vector<double> log_factors(classes);
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t y = 0; y < classes; ++y)
      log_factors[y] = by_block.log_scales[n * classes + y] - empty.log_scales[n * classes + y];
    const double largest = *std::max_element(log_factors.begin(), log_factors.end());
    const auto row = std::span(evidence.values).subspan(n * evidence.symbols(), evidence.symbols());
    for (std::size_t code = 0; code < codes; ++code)
      for (std::size_t y = 0; y < classes; ++y)
        row[code * classes + y] =
            by_block.values[(n * classes + y) * codes + code] * static_cast<float>(std::exp(log_factors[y] - largest));
    scale_to_one(row);
  }
  return evidence;
}

// Any other channel: its own word on every pair of a public point and a label.
Evidence joint_plain_evidence(const Channel& channel, const LabelJoin& join, const ReportSet& reports,
                              const PublicPrior& prior, std::span<const float> membership, std::size_t codes) {
  const auto classes = static_cast<std::size_t>(join.classes());
  const std::size_t length = prior.points.size() / prior.size, joint_length = point_length(join.domain());
  std::vector<std::int64_t> joint(prior.size * classes * joint_length);
  std::vector<float> joint_membership(prior.size * classes * codes * classes, 0);
  for (std::size_t m = 0; m < prior.size; ++m)
    for (std::size_t y = 0; y < classes; ++y) {
      const std::size_t place = m * classes + y;
      join.join(std::span(prior.points).subspan(m * length, length), static_cast<std::int64_t>(y),
                std::span(joint).subspan(place * joint_length, joint_length));
      for (std::size_t code = 0; code < codes; ++code)
        joint_membership[place * codes * classes + code * classes + y] = membership[m * codes + code];
    }
  const auto likelihood = make_plain_likelihood(channel, reports.features, joint);
  Evidence evidence{codes, classes, code_likelihoods(*likelihood, joint_membership, codes * classes).values};
  for (std::size_t begin = 0; begin < evidence.values.size(); begin += evidence.symbols())
    scale_to_one(std::span(evidence.values).subspan(begin, evidence.symbols()));
  return evidence;
}

}  // namespace

SymbolWeights weigh_symbols(const Evidence& evidence, std::span<const float> joint) {
  std::array<SymbolWeights, kLanes> halves;
  run_lanes([&](Lane& lane) {
    SymbolWeights& own = halves[lane.index()];
    own.values.assign(joint.size(), 0);
    using Row = Eigen::Map<const Eigen::RowVectorXf>;
    const auto width = static_cast<Eigen::Index>(joint.size());
    const Row probabilities(joint.data(), width);
    Eigen::Map<Eigen::RowVectorXf> sums(own.values.data(), width);
    const auto part = lane.part_of(evidence.reports());
    for (std::size_t n = part.begin; n < part.end; ++n) {
      const Row row(evidence.values.data() + n * joint.size(), width);
      const float total = row.dot(probabilities);
      own.mean_log_likelihood += std::log(std::max(static_cast<double>(total), 1e-300));
      if (total >= std::numeric_limits<float>::min())  // else nothing explains it: it has no say
        sums += row * (1 / total);
    }
  });
  for (std::size_t s = 0; s < joint.size(); ++s) halves[0].values[s] += halves[1].values[s];
  const double sum = halves[0].mean_log_likelihood + halves[1].mean_log_likelihood;
  return {std::move(halves[0].values), sum / static_cast<double>(evidence.reports())};
}

std::vector<float> CodeBook::shares() const {
  std::vector<double> counts(codes, 0);
  for (const std::uint32_t code : code_of_record) ++counts[code];
  std::vector<float> shares;
  for (const double count : counts)
    shares.push_back(static_cast<float>(count / static_cast<double>(code_of_record.size())));
  return shares;
}

std::vector<float> CodeBook::membership(const PublicPrior& prior) const {
  std::vector<double> members(codes, 0);
  for (const std::uint32_t code : code_of_record) ++members[code];
  std::vector<float> membership(prior.size * codes, 0);
  for (std::size_t record = 0; record < code_of_record.size(); ++record) {
    const std::uint32_t code = code_of_record[record];
    membership[prior.place_of_record[record] * codes + code] += static_cast<float>(1 / members[code]);
  }
  return membership;
}

CodeLikelihoods code_likelihoods(const ReportLikelihood& likelihood, std::span<const float> membership,
                                 std::size_t codes) {
  constexpr std::size_t kBlock = 64;
  const std::size_t points = likelihood.points();
  CodeLikelihoods result{std::vector<float>(likelihood.reports() * codes), std::vector<double>(likelihood.reports())};
  run_lanes([&](Lane& lane) {
    std::vector<float> weights(kBlock * points);
    const auto part = lane.part_of(likelihood.reports());
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlock) {
      const std::size_t rows = std::min(kBlock, part.end - begin);
      likelihood.weigh({begin, rows}, {0, points}, weights, std::span(result.log_scales).subspan(begin, rows));
      multiply({weights.data(), rows, points}, {membership.data(), points, codes}, 0,
               result.values.data() + begin * codes);
    }
  });
  return result;
}

Evidence gather_evidence(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                         const PublicPrior& prior, const CodeBook& book) {
  const Channel& channel = release.channel();
  const std::vector<float> membership = book.membership(prior);
  const LabelJoin* join = release.label_join();
  if (join == nullptr) return split_evidence(channel, reports, noise, prior, membership, book.codes);
  if (const auto* ball = std::get_if<L1Ball>(&channel.domain()))
    return joint_lattice_evidence(channel, *ball, static_cast<std::size_t>(join->classes()), reports, prior, membership,
                                  book.codes);
  return joint_plain_evidence(channel, *join, reports, prior, membership, book.codes);
}

}  // namespace sotto
