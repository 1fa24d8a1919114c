// Accuracies with the uncertainty they have. Shares are in [0, 1], not percent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

// An estimated share and an interval that covers the true one with the confidence that was asked for.
struct Proportion {
  double value;
  double low, high;
  std::size_t count;  // observations behind it
};

// Wilson's score interval (1927): sound near 0 and 1, where the familiar ± collapses. 0 < confidence < 1.
Result<Proportion> wilson_interval(std::size_t successes, std::size_t count, double confidence);

// Which predictions are right. Both spans have the same length.
Result<std::vector<bool>> correctness(std::span<const std::int32_t> predictions, std::span<const std::int32_t> labels);

// The share of right predictions, as an estimate of what it is over all records like these.
Result<Proportion> accuracy(std::span<const std::int32_t> predictions, std::span<const std::int32_t> labels,
                            double confidence);

// Mean and sample standard deviation (n − 1 in the denominator) over trials.
struct TrialSummary {
  double mean;
  double sd;  // 0 for a single trial, which says nothing about spread
  std::size_t trials;
};

Result<TrialSummary> summarize_trials(std::span<const double> values);

}  // namespace sotto
