#include "sotto/channel/clamped_laplace.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"
#include "sotto/kernel/scripted_entropy_test.h"

namespace sotto {
namespace {

ClampedLaplace make(std::string_view epsilon, std::int64_t sensitivity, Range points) {
  return ClampedLaplace::make(epsilon_of(epsilon), sensitivity, points).value_or_throw();
}

TEST(ClampedLaplace, HasALawThatSumsToOneForEveryPoint) {
  for (const char* epsilon : {"0.1", "1", "1.4", "10"}) {
    const auto noise = make(epsilon, 8, {-4, 4});
    for (std::int64_t k = -4; k <= 4; ++k) {
      double total = 0;
      for (std::int64_t r = noise.report_range().low; r <= noise.report_range().high; ++r)
        total += std::exp(noise.log_pmf(r, k));
      EXPECT_NEAR(total, 1, 1e-12) << epsilon << ", " << k;
    }
  }
}

// The mass of everything beyond the window lies on its edge: α^n/(1+α), summed here term by term.
TEST(ClampedLaplace, PutsTheTailsOnTheEdges) {
  const auto noise = make("10", 2, {-1, 1});
  const double rate = 5;
  for (const std::int64_t k : {-1, 0, 1})
    for (const std::int64_t edge : {noise.report_range().low, noise.report_range().high}) {
      double tail = 0;
      for (int x = 0; x < 20; ++x)
        tail += std::tanh(rate / 2) * std::exp(-rate * (std::abs(static_cast<double>(edge - k)) + x));
      EXPECT_NEAR(noise.log_pmf(edge, k), std::log(tail), 1e-12);
    }
}

TEST(ClampedLaplace, ReachesFortyEightScalesBeyondThePoints) {
  const Range window = make("0.5", 1000, {-500, 500}).report_range();
  EXPECT_EQ(window, (Range{-500 - 48 * 2000 - 1, 500 + 48 * 2000 + 1}));
}

// The bytes {0, 255} toss one whole scale; sixty of them leave the window from any point.
TEST(ClampedLaplace, EndsOnTheEdgeOfTheWindowForExtremeNoise) {
  const std::int64_t resolution = kMaxResolution;
  const auto noise = make("0.001", 2 * resolution, {-resolution, resolution});
  ScriptedEntropy entropy;
  for (const std::int64_t k : {-resolution, std::int64_t{0}, resolution})
    for (const bool negative : {false, true}) {
      std::vector<std::uint8_t> script;
      append(script, std::uint64_t{1} << 40);  // a small U
      script.push_back(255);                   // kept
      for (int fold = 0; fold < 60; ++fold) script.insert(script.end(), {0, 255});
      script.push_back(255);  // no further fold
      script.push_back(negative ? 1 : 0);
      entropy.play(script);
      EXPECT_EQ(noise.sample(k, entropy), negative ? noise.report_range().low : noise.report_range().high);
    }
}

// Whatever the sampler's own limit cuts off lies beyond the window, seen from every point.
TEST(ClampedLaplace, HidesTheLimitOfTheSampler) {
  for (const char* epsilon : {"0.001", "0.0012345", "1", "1.4", "99.99999", "100"})
    for (const std::int64_t resolution : {std::int64_t{1}, std::int64_t{1} << 16, kMaxResolution}) {
      const auto noise = ClampedLaplace::make(epsilon_of(epsilon), 2 * resolution, {-resolution, resolution});
      ASSERT_TRUE(noise) << epsilon;
      const auto rate = epsilon_of(epsilon).divided_by(static_cast<std::uint64_t>(2 * resolution)).value_or_throw();
      const auto limit =
          DiscreteLaplace::make(rate.value().numerator(), rate.value().denominator()).value_or_throw().limit();
      EXPECT_GT(-resolution + limit, noise->report_range().high);
      EXPECT_LT(resolution - limit, noise->report_range().low);
    }
}

TEST(ClampedLaplace, RefusesAnEpsilonThatItCannotHold) {
  const auto too_fine = ClampedLaplace::make(epsilon_of("0.123456789"), 1 << 21, {-(1 << 20), 1 << 20});
  ASSERT_FALSE(too_fine);
  EXPECT_EQ(too_fine.error().message.find("epsilon"), 0U);
  // So large that the sampler's limit, about 2^62 / 2^43, would lie among the points.
  const auto huge = Epsilon::make(Rational::make((std::uint64_t{1} << 43) + 1, 1)).value_or_throw();
  const auto too_large = ClampedLaplace::make(huge, 1 << 21, {-(1 << 20), 1 << 20});
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().message.find("epsilon"), 0U);
}

}  // namespace
}  // namespace sotto
