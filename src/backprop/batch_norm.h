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
  std::vector<float> mean, variance;                 // running averages over batches; empty before the first
  std::vector<float> normalised, inverse_deviation;  // of the last batch
};

// `values` are rows of scale.size() channels; they become scale·normalised + shift.
void batch_normalise(std::span<const float> scale, std::span<const float> shift, std::span<float> values,
                     BatchStatistics& statistics);

// Turns d loss / d result into d loss / d values, in place, and writes the gradients of scale and shift.
void batch_normalise_backward(std::span<const float> scale, const BatchStatistics& statistics,
                              std::span<float> gradient, std::span<float> scale_gradient,
                              std::span<float> shift_gradient);

}  // namespace sotto
