#include "sotto/evaluate/accuracy.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <string>

namespace sotto {
Result<Proportion> wilson_interval(std::size_t successes, std::size_t count, double confidence) {
  if (!(0 < confidence && confidence < 1))
    return refuse("confidence = " + std::to_string(confidence) + " is not between 0 and 1");
  if (count == 0) return refuse("count = 0: a share needs at least one observation");
  if (successes > count)
    return refuse("successes = " + std::to_string(successes) + " exceed count = " + std::to_string(count));
  const double n = static_cast<double>(count);
  const double share = static_cast<double>(successes) / n;
  const double z = std::numbers::sqrt2 * boost::math::erf_inv(confidence);
  const double shrink = 1 / (1 + z * z / n);
  const double centre = shrink * (share + z * z / (2 * n));
  const double half = shrink * z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  // Rounding aside, the interval always holds the share and stays within [0, 1].
  return Proportion{share, std::clamp(centre - half, 0.0, share), std::clamp(centre + half, share, 1.0), count};
}

Result<std::vector<bool>> correctness(std::span<const std::int32_t> predictions, std::span<const std::int32_t> labels) {
  if (predictions.size() != labels.size())
    return refuse(std::to_string(predictions.size()) + " predictions for " + std::to_string(labels.size()) +
                  " labels: there must be one for each");
  std::vector<bool> correct(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) correct[i] = predictions[i] == labels[i];
  return correct;
}

Result<Proportion> accuracy(std::span<const std::int32_t> predictions, std::span<const std::int32_t> labels,
                            double confidence) {
  const auto correct = correctness(predictions, labels);
  if (!correct) return correct.error();
  const auto right = std::count(correct->begin(), correct->end(), true);
  return wilson_interval(static_cast<std::size_t>(right), correct->size(), confidence);
}

Result<TrialSummary> summarize_trials(std::span<const double> values) {
  if (values.empty()) return refuse("trials = 0: a mean needs at least one");
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return TrialSummary{mean, values.size() == 1 ? 0.0 : std::sqrt(squares / (n - 1)), values.size()};
}

}  // namespace sotto
