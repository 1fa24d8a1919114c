#include "sotto/learn/evidence.h"

#include <algorithm>

#include "sotto/backprop/lanes.h"

namespace sotto {
namespace {

void scale_to_one(std::span<float> row) {
  const float largest = *std::max_element(row.begin(), row.end());
  if (largest > 0)
    for (float& value : row) value /= largest;
}

}  // namespace

std::vector<float> CodeBook::shares() const {
  std::vector<float> shares(codes, 0);
  for (const std::uint32_t code : code_of_point) shares[code] += 1 / static_cast<float>(code_of_point.size());
  return shares;
}

std::vector<float> code_likelihoods(const ReportLikelihood& likelihood, const CodeBook& book) {
  constexpr std::size_t kBlock = 16;
  const std::size_t points = likelihood.points();
  std::vector<float> result(likelihood.reports() * book.codes, 0);
  const std::vector<float> shares = book.shares();
  run_lanes([&](Lane& lane) {
    std::vector<float> weights(kBlock * points);
    std::vector<double> log_scales(kBlock);
    const auto part = lane.part_of(likelihood.reports());
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlock) {
      const std::size_t rows = std::min(kBlock, part.end - begin);
      likelihood.weigh(begin, rows, weights, log_scales);
      for (std::size_t row = 0; row < rows; ++row) {
        const auto sums = std::span(result).subspan((begin + row) * book.codes, book.codes);
        for (std::size_t m = 0; m < points; ++m) sums[book.code_of_point[m]] += weights[row * points + m];
        for (std::size_t code = 0; code < book.codes; ++code)  // the mean over the code's points
          if (shares[code] > 0) sums[code] /= shares[code];
        scale_to_one(sums);
      }
    }
  });
  return result;
}

Evidence split_evidence(const ReportLikelihood& likelihood, std::span<const std::int32_t> noisy_labels,
                        const LabelNoise& noise, const CodeBook& book) {
  const auto by_code = code_likelihoods(likelihood, book);
  Evidence evidence{book.codes, noise.classes, std::vector<float>(noisy_labels.size() * book.codes * noise.classes)};
  for (std::size_t n = 0; n < noisy_labels.size(); ++n) {
    const auto given = noise.given_noisy(static_cast<std::size_t>(noisy_labels[n]));
    const auto row = std::span(evidence.values).subspan(n * evidence.symbols(), evidence.symbols());
    for (std::size_t code = 0; code < book.codes; ++code)
      for (std::size_t y = 0; y < noise.classes; ++y)
        row[code * noise.classes + y] = by_code[n * book.codes + code] * given[y];
    scale_to_one(row);
  }
  return evidence;
}

}  // namespace sotto
