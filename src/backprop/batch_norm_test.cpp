#include "sotto/backprop/batch_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/backprop/instruction_sets_test.h"
#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr float kNoLeast = std::numeric_limits<float>::lowest();

struct Batch {
  std::size_t rows, channels;
  std::vector<float> scale, shift;
  std::vector<double> values, slopes;

  Batch(std::size_t with_rows, std::size_t with_channels) : rows(with_rows), channels(with_channels) {
    SeededEntropy entropy(rows + channels);
    const auto draw = [&] { return draw_standard_normal(entropy); };
    for (std::size_t i = 0; i < channels; ++i) {
      scale.push_back(draw());
      shift.push_back(draw());
    }
    // Means of channels are many deviations from zero: a variance from plain squares would be lost.
    for (std::size_t i = 0; i < rows * channels; ++i) {
      values.push_back(static_cast<double>(100.0F * static_cast<float>(i % channels) + draw()));
      slopes.push_back(static_cast<double>(draw()));
    }
  }

  Normalisation normalisation(float least) const { return {scale, shift, least}; }

  std::vector<double> results(float least) const {
    std::vector<double> all(values.size());
    for (std::size_t i = 0; i < channels; ++i) {
      double mean = 0, variance = 0;
      for (std::size_t row = 0; row < rows; ++row) mean += values[row * channels + i] / static_cast<double>(rows);
      for (std::size_t row = 0; row < rows; ++row)
        variance += std::pow(values[row * channels + i] - mean, 2) / static_cast<double>(rows);
      const double deviation = std::sqrt(variance + static_cast<double>(kLeastVariance));
      for (std::size_t row = 0; row < rows; ++row)
        all[row * channels + i] =
            std::max(static_cast<double>(scale[i]) * (values[row * channels + i] - mean) / deviation +
                         static_cast<double>(shift[i]),
                     static_cast<double>(least));
    }
    return all;
  }

  double loss(float least) const {
    const auto all = results(least);
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) sum += all[i] * slopes[i];
    return sum;
  }
};

struct Computed {
  std::vector<float> results, gradient, scale_gradient, shift_gradient;
  BatchStatistics statistics;
};

Computed compute(const Batch& batch, float least) {
  Computed computed;
  computed.statistics.values.assign(batch.values.begin(), batch.values.end());
  computed.results.resize(batch.values.size());
  batch_normalise(batch.normalisation(least), computed.statistics, computed.results);
  computed.gradient.assign(batch.slopes.begin(), batch.slopes.end());
  computed.scale_gradient.resize(batch.channels);
  computed.shift_gradient.resize(batch.channels);
  batch_normalise_backward(batch.normalisation(least), computed.statistics, computed.gradient, computed.scale_gradient,
                           computed.shift_gradient);
  return computed;
}

TEST(BatchNormalisation, EqualsItsDefinitionForEveryNumberOfChannels) {
  for (const std::size_t channels : {1U, 3U, 16U, 23U, 70U})
    for (const float least : {0.0F, kNoLeast}) {
      const Batch batch(150, channels);
      const auto expected = batch.results(least);
      on_every_instruction_set([&] {
        const Computed computed = compute(batch, least);
        for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(computed.results[i], expected[i], 2e-3);
        // The first batch's statistics are the running ones.
        EXPECT_EQ(computed.statistics.mean, computed.statistics.batch_mean);
      });
    }
}

// A value moves the mean and the deviation of its channel, too.
TEST(BatchNormalisation, HasTheGradientThatDifferencesShow) {
  constexpr double kStep = 1e-4;
  for (const float least : {0.0F, kNoLeast}) {
    Batch batch(9, 19);
    const Computed computed = compute(batch, least);
    const auto slope = [&](auto& place) {
      using Value = std::remove_reference_t<decltype(place)>;
      const Value kept = place;
      place = static_cast<Value>(static_cast<double>(kept) + kStep);
      const double above = batch.loss(least);
      place = static_cast<Value>(static_cast<double>(kept) - kStep);
      const double below = batch.loss(least);
      place = kept;
      return (above - below) / (2 * kStep);
    };
    for (std::size_t i = 0; i < batch.values.size(); ++i)
      EXPECT_NEAR(computed.gradient[i], slope(batch.values[i]), 5e-3) << i;
    for (std::size_t i = 0; i < batch.channels; ++i) {
      EXPECT_NEAR(computed.scale_gradient[i], slope(batch.scale[i]), 2e-2) << i;
      EXPECT_NEAR(computed.shift_gradient[i], slope(batch.shift[i]), 2e-2) << i;
    }
  }
}

TEST(BatchNormalisation, KeepsRunningAveragesOfWhatItSaw) {
  const std::vector<float> scale = {1}, shift = {0};
  BatchStatistics statistics;
  std::vector<float> results(2);
  statistics.values = {1, 3};  // mean 2, variance 1
  batch_normalise({scale, shift, kNoLeast}, statistics, results);
  statistics.values = {10, 14};  // mean 12, variance 4
  batch_normalise({scale, shift, kNoLeast}, statistics, results);
  EXPECT_NEAR(statistics.mean[0], 3, 1e-5);  // a tenth of the way from 2 to 12
  EXPECT_NEAR(statistics.variance[0], 1.3, 1e-5);
}

}  // namespace
}  // namespace sotto
