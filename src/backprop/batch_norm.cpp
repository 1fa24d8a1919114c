#include "sotto/backprop/batch_norm.h"

#include <algorithm>
#include <cmath>

namespace sotto {
namespace {

// Sums over rows, channel by channel: floats within a run of rows, where they are fast, doubles across runs, where
// they are needed. `add(sums, row)` adds what a row contributes.
template <class Add>
std::vector<double> sum_over_rows(std::size_t rows, std::size_t sums, const Add& add) {
  constexpr std::size_t kRun = 64;
  std::vector<double> total(sums, 0.0);
  std::vector<float> run(sums);
  for (std::size_t begin = 0; begin < rows; begin += kRun) {
    std::fill(run.begin(), run.end(), 0.0F);
    for (std::size_t row = begin; row < std::min(rows, begin + kRun); ++row) add(run.data(), row);
    for (std::size_t i = 0; i < sums; ++i) total[i] += static_cast<double>(run[i]);
  }
  return total;
}

void move_towards(std::span<const float> latest, std::vector<float>& average) {
  constexpr float kStep = 0.1F;
  if (average.empty()) average.assign(latest.begin(), latest.end());
  for (std::size_t i = 0; i < average.size(); ++i) average[i] += kStep * (latest[i] - average[i]);
}

}  // namespace

void batch_normalise(std::span<const float> scale, std::span<const float> shift, std::span<float> values,
                     BatchStatistics& statistics) {
  const std::size_t channels = scale.size(), rows = values.size() / channels;
  const auto sum = sum_over_rows(rows, channels, [&](float* sums, std::size_t row) {
    for (std::size_t i = 0; i < channels; ++i) sums[i] += values[row * channels + i];
  });
  std::vector<float> mean(channels), variance(channels);
  for (std::size_t i = 0; i < channels; ++i) mean[i] = static_cast<float>(sum[i] / static_cast<double>(rows));
  const auto squares = sum_over_rows(rows, channels, [&](float* sums, std::size_t row) {
    for (std::size_t i = 0; i < channels; ++i) {
      const float difference = values[row * channels + i] - mean[i];
      sums[i] += difference * difference;
    }
  });
  std::vector<float>& inverse = statistics.inverse_deviation;
  inverse.resize(channels);
  for (std::size_t i = 0; i < channels; ++i) {
    variance[i] = static_cast<float>(squares[i] / static_cast<double>(rows));
    inverse[i] = 1 / std::sqrt(variance[i] + kLeastVariance);
  }
  move_towards(mean, statistics.mean);
  move_towards(variance, statistics.variance);

  statistics.normalised.resize(values.size());
  for (std::size_t row = 0; row < rows; ++row) {
    float* value = values.data() + row * channels;
    float* normalised = statistics.normalised.data() + row * channels;
    for (std::size_t i = 0; i < channels; ++i) {
      normalised[i] = (value[i] - mean[i]) * inverse[i];
      value[i] = scale[i] * normalised[i] + shift[i];
    }
  }
}

void batch_normalise_backward(std::span<const float> scale, const BatchStatistics& statistics,
                              std::span<float> gradient, std::span<float> scale_gradient,
                              std::span<float> shift_gradient) {
  const std::size_t channels = scale.size(), rows = gradient.size() / channels;
  const auto sum = sum_over_rows(rows, 2 * channels, [&](float* sums, std::size_t row) {
    const float* slope = gradient.data() + row * channels;
    const float* normalised = statistics.normalised.data() + row * channels;
    for (std::size_t i = 0; i < channels; ++i) {
      sums[i] += slope[i];
      sums[channels + i] += slope[i] * normalised[i];
    }
  });
  std::vector<float> mean_slope(channels), mean_product(channels), factor(channels);
  for (std::size_t i = 0; i < channels; ++i) {
    shift_gradient[i] = static_cast<float>(sum[i]);
    scale_gradient[i] = static_cast<float>(sum[channels + i]);
    mean_slope[i] = static_cast<float>(sum[i] / static_cast<double>(rows));
    mean_product[i] = static_cast<float>(sum[channels + i] / static_cast<double>(rows));
    factor[i] = scale[i] * statistics.inverse_deviation[i];
  }
  for (std::size_t row = 0; row < rows; ++row) {
    float* slope = gradient.data() + row * channels;
    const float* normalised = statistics.normalised.data() + row * channels;
    for (std::size_t i = 0; i < channels; ++i)
      slope[i] = factor[i] * (slope[i] - mean_slope[i] - normalised[i] * mean_product[i]);
  }
}

}  // namespace sotto
