#include "sotto/learn/denoising_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sotto/backprop/lanes.h"
#include "sotto/learn/class_products.h"

namespace sotto {
namespace {

// More rows than this gain nothing: a block would outgrow the caches, and its rows the processor's table of pages.
constexpr std::size_t kRowsThatSuffice = 32;

struct Share {  // of one lane
  double log_likelihood = 0;
  std::vector<float> gradient;  // classes × points
};

// Works class by class: points, which are many, lie along the vectors.
class BlockPass {
 public:
  BlockPass(const ReportLikelihood& likelihood, std::span<const std::int32_t> noisy_labels, const LabelNoise& noise,
            std::span<const float> joint, std::size_t rows)
      : likelihood_(likelihood),
        labels_(noisy_labels),
        noise_(noise),
        joint_(joint),
        weights_(rows * likelihood.points()),
        log_scales_(rows),
        sums_(rows * noise.classes) {}

  void add(std::size_t begin, std::size_t count, Share& share) {
    likelihood_.weigh(begin, count, weights_, log_scales_);
    const WeightBlock weights{weights_, count, likelihood_.points()};
    const auto sums = std::span(sums_).first(count * noise_.classes);
    sum_over_points(weights, joint_, sums);
    for (std::size_t row = 0; row < count; ++row) share.log_likelihood += divide(begin + row, row);
    add_over_reports(weights, sums, share.gradient);
  }

 private:
  // Turns a row of sums over points into the row's factors of the gradient, p(noisy | y) / p(report).
  double divide(std::size_t report, std::size_t row) {
    const auto given = noise_.given_noisy(static_cast<std::size_t>(labels_[report]));
    const auto sums = std::span(sums_).subspan(row * noise_.classes, noise_.classes);
    double total = 0;
    for (std::size_t y = 0; y < sums.size(); ++y) total += static_cast<double>(given[y] * sums[y]);
    // Nothing explains the report to within a float's range: it has no say.
    const bool hopeless = !(total > 0);
    for (std::size_t y = 0; y < sums.size(); ++y)
      sums[y] = hopeless ? 0 : static_cast<float>(static_cast<double>(given[y]) / total);
    return hopeless ? log_scales_[row] : log_scales_[row] + std::log(total);
  }

  const ReportLikelihood& likelihood_;
  std::span<const std::int32_t> labels_;
  const LabelNoise& noise_;
  std::span<const float> joint_;  // classes × points
  std::vector<float> weights_;
  std::vector<double> log_scales_;
  std::vector<float> sums_;
};

std::vector<float> transpose(std::span<const float> matrix, std::size_t columns) {
  const std::size_t rows = matrix.size() / columns;
  std::vector<float> result(matrix.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      result[column * rows + row] = matrix[row * columns + column];
  return result;
}

}  // namespace

LabelNoise label_noise_of(const Channel& label_channel, std::size_t classes) {
  LabelNoise noise{classes, std::vector<float>(classes * classes)};
  for (std::size_t noisy = 0; noisy < classes; ++noisy)
    for (std::size_t label = 0; label < classes; ++label) {
      const std::int64_t report = static_cast<std::int64_t>(noisy), point = static_cast<std::int64_t>(label);
      noise.probability[noisy * classes + label] =
          static_cast<float>(std::exp(label_channel.log_likelihood({&report, 1}, {&point, 1})));
    }
  return noise;
}

LabelNoise no_label_noise(std::size_t classes) {
  LabelNoise noise{classes, std::vector<float>(classes * classes, 0)};
  for (std::size_t label = 0; label < classes; ++label) noise.probability[label * (classes + 1)] = 1;
  return noise;
}

DenoisingPassResult denoising_pass(const ReportLikelihood& likelihood, std::span<const std::int32_t> noisy_labels,
                                   const LabelNoise& noise, std::span<const float> joint, std::size_t memory) {
  const std::size_t row_bytes = likelihood.points() * sizeof(float) * kLanes;
  const std::size_t rows = std::clamp<std::size_t>(memory / std::max<std::size_t>(row_bytes, 1), 1, kRowsThatSuffice);
  const std::vector<float> by_class = transpose(joint, noise.classes);
  std::array<Share, kLanes> shares;
  run_lanes([&](Lane& lane) {
    Share& share = shares[lane.index()];
    share.gradient.assign(joint.size(), 0);
    BlockPass pass(likelihood, noisy_labels, noise, by_class, rows);
    const auto part = lane.part_of(likelihood.reports());
    for (std::size_t begin = part.begin; begin < part.end; begin += rows)
      pass.add(begin, std::min(rows, part.end - begin), share);
  });
  DenoisingPassResult result;
  const double each = 1 / static_cast<double>(likelihood.reports());
  result.log_likelihood = each * (shares[0].log_likelihood + shares[1].log_likelihood);
  for (std::size_t i = 0; i < joint.size(); ++i)
    shares[0].gradient[i] = static_cast<float>(each) * (shares[0].gradient[i] + shares[1].gradient[i]);
  result.gradient = transpose(shares[0].gradient, likelihood.points());
  return result;
}

}  // namespace sotto
