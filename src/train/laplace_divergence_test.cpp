#include "sotto/train/laplace_divergence.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace sotto {
namespace {

double log_density(double x, double mean, double scale) { return -std::abs(x - mean) / scale - std::log(2 * scale); }

// ∫ q log(q/p) by the midpoint rule, between kinks and far into the tails.
double integrated(double mean, double scale) {
  constexpr double kStep = 1e-4;
  double sum = 0;
  for (double x = mean - 40 * scale; x < mean + 40 * scale; x += kStep) {
    const double q = log_density(x + kStep / 2, mean, scale);
    sum += kStep * std::exp(q) * (q - log_density(x + kStep / 2, 0, static_cast<double>(kPriorScale)));
  }
  return sum;
}

TEST(LaplaceDivergence, EqualsTheIntegralThatDefinesIt) {
  for (const float mean : {0.0F, 0.3F, -1.5F, 6.0F})
    for (const float scale : {0.2F, kPriorScale, 2.5F}) {
      std::array<float, 1> gradient{};
      const double value = laplace_divergence({&mean, 1}, scale, 1, gradient).value;
      EXPECT_NEAR(value, integrated(static_cast<double>(mean), static_cast<double>(scale)), 1e-4)
          << "mean " << mean << " scale " << scale;
    }
}

TEST(LaplaceDivergence, HasTheGradientsThatDifferencesShow) {
  constexpr float kStep = 1e-2F;
  const auto value = [](float mean, float scale) {
    std::array<float, 1> unused{};
    return laplace_divergence({&mean, 1}, scale, 1, unused).value;
  };
  for (const float mean : {-2.0F, 0.4F, 5.0F})
    for (const float scale : {0.3F, 1.5F}) {
      std::array<float, 1> gradient{};
      const auto result = laplace_divergence({&mean, 1}, scale, 3, gradient);
      EXPECT_NEAR(gradient[0], 3 * (value(mean + kStep, scale) - value(mean - kStep, scale)) / (2 * kStep), 0.02);
      EXPECT_NEAR(result.scale_gradient, (value(mean, scale + kStep) - value(mean, scale - kStep)) / (2 * kStep), 0.02);
    }
}

TEST(LaplaceDivergence, IsZeroForThePriorItself) {
  const std::array<float, 2> means{0, 0};
  std::array<float, 2> gradient{};
  EXPECT_NEAR(laplace_divergence(means, kPriorScale, 1, gradient).value, 0, 1e-6);
  EXPECT_EQ(gradient, (std::array<float, 2>{0, 0}));
}

TEST(LaplaceDivergence, WithoutNoiseIsThePriorsPullAlone) {
  const std::array<float, 2> means{1, -2};
  std::array<float, 2> gradient{};
  EXPECT_NEAR(laplace_divergence(means, 0, 1, gradient).value, 3 / static_cast<double>(kPriorScale), 1e-5);
  EXPECT_FLOAT_EQ(gradient[1], -1 / kPriorScale);
}

}  // namespace
}  // namespace sotto
