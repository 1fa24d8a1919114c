// Batch normalisation [IS15]: each channel of a batch is shifted and scaled to mean 0 and variance 1. After training,
// running averages of the means and variances take their place, and the whole folds into the layer before it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sotto {

inline constexpr float kLeastVariance = 1e-5F;

// What one thread remembers of the batches it has seen.
struct BatchStatistics {
  std::vector<float> mean, variance;                       // running averages over batches; empty before the first
  std::vector<float> values, batch_mean, batch_deviation;  // of the last batch
};

// One for each channel, but for `least`: results below it are raised to it, which a ReLU does with 0.
struct Normalisation {
  std::span<const float> scale, shift;
  float least;
};

// Writes max(scale·normalised + shift, least) of statistics.values, which are rows of as many channels as there are
// scales.
void batch_normalise(const Normalisation& normalisation, BatchStatistics& statistics, std::span<float> results);

// Turns d loss / d results into d loss / d values, in place, and writes the gradients of scale and shift.
void batch_normalise_backward(const Normalisation& normalisation, const BatchStatistics& statistics,
                              std::span<float> gradient, std::span<float> scale_gradient,
                              std::span<float> shift_gradient);

}  // namespace sotto
