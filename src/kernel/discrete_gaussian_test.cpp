#include "sotto/kernel/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/goodness_of_fit_test.h"
#include "sotto/kernel/integer_sqrt.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

using Sampler = std::function<std::int64_t(Entropy&)>;

Sampler sampler(std::uint64_t numerator, std::uint64_t denominator) {
  return [noise = DiscreteGaussian::make(numerator, denominator).value_or_throw()](Entropy& entropy) {
    return noise.sample(entropy);
  };
}

// 400,000 draws, a cell for each integer within 8σ, α = 1e-6. The mutants mark what it detects: a variance 5 % off.
double fit_to_gaussian(double variance, const Sampler& draw) {
  SeededEntropy entropy(7);
  const auto weight = [=](std::int64_t x) { return std::exp(-static_cast<double>(x * x) / (2 * variance)); };
  const auto reach = static_cast<std::int64_t>(8 * std::sqrt(variance)) + 2;
  double total = 1;
  for (std::int64_t x = 1; x <= 2 * reach; ++x) total += 2 * weight(x);
  return fit(
      400000, -reach, reach, [&] { return draw(entropy); }, [=](std::int64_t x) { return weight(x) / total; });
}

const std::pair<std::uint64_t, std::uint64_t> kSmallVariances[] = {{1, 10}, {1, 3},   {1, 1},  {5, 2},
                                                                   {4, 1},  {99, 10}, {400, 1}};

TEST(DiscreteGaussian, MatchesItsExactPmfAtSmallVariance) {
  for (const auto& [n, m] : kSmallVariances)
    EXPECT_GT(fit_to_gaussian(static_cast<double>(n) / static_cast<double>(m), sampler(n, m)), kAlpha) << n << "/" << m;
}

// Keeps a proposal y with probability exp(−y²/(2σ²)): the peak of the ratio of the two laws is forgotten.
Sampler off_centre_mutant(std::uint64_t variance) {
  const auto proposal = DiscreteLaplace::make(1, floor_sqrt(variance) + 1).value_or_throw();
  return [=](Entropy& entropy) {
    while (true) {
      const std::int64_t y = proposal.sample(entropy);
      if (bernoulli_exp(static_cast<std::uint64_t>(y * y), 2 * variance, entropy)) return y;
    }
  };
}

Sampler rounded_continuous_mutant(double variance) {
  return [=](Entropy& entropy) {
    const auto uniform = [&] { return (static_cast<double>(entropy.take<std::uint64_t>() >> 11) + 0.5) * 0x1p-53; };
    const double radius = std::sqrt(-2 * variance * std::log(uniform()));
    return std::llround(radius * std::cos(2 * std::numbers::pi * uniform()));
  };
}

TEST(DiscreteGaussian, FitRejectsMutants) {
  for (const std::uint64_t variance : {1, 400}) {
    const auto sigma2 = static_cast<double>(variance);
    EXPECT_LT(fit_to_gaussian(sigma2, sampler(variance * 105, 100)), kRejected) << variance;
    EXPECT_LT(fit_to_gaussian(sigma2, sampler(variance * 95, 100)), kRejected) << variance;
    EXPECT_LT(fit_to_gaussian(sigma2, off_centre_mutant(variance)), kRejected) << variance;
  }
  EXPECT_LT(fit_to_gaussian(1, rounded_continuous_mutant(1)), kRejected);
  EXPECT_LT(fit_to_gaussian(4, rounded_continuous_mutant(4)), kRejected);
}

// The law of a large variance is nearly continuous: 64 equally likely cells, 300,000 draws, α = 1e-6.
double fit_of_large_variance(double variance, const Sampler& draw) {
  SeededEntropy entropy(11);
  const auto cell = [=](std::int64_t x) {
    return static_cast<std::int64_t>(32 * std::erfc(-static_cast<double>(x) / std::sqrt(2 * variance)));
  };
  return fit(
      300000, 0, 63, [&] { return cell(draw(entropy)); }, [](std::int64_t) { return 1.0 / 64; });
}

TEST(DiscreteGaussian, MatchesItsLawUpToTheLargestVariance) {
  for (const auto& [n, m] : {std::pair{std::uint64_t{1} << 34, std::uint64_t{1}},
                             {std::uint64_t{123456789012345}, std::uint64_t{1000}},
                             {DiscreteGaussian::kMaxNumerator, DiscreteGaussian::kMaxDenominator},
                             {DiscreteGaussian::kMaxNumerator, std::uint64_t{1}}})
    EXPECT_GT(fit_of_large_variance(static_cast<double>(n) / static_cast<double>(m), sampler(n, m)), kAlpha)
        << n << "/" << m;
}

TEST(DiscreteGaussian, LargeVarianceFitRejectsAWrongVariance) {
  EXPECT_LT(fit_of_large_variance(0x1p34, sampler((std::uint64_t{1} << 34) / 100 * 95, 1)), kRejected);
}

TEST(DiscreteGaussian, IsZeroWhenTheVarianceIsTiny) {
  SeededEntropy entropy(1);
  const auto noise = DiscreteGaussian::make(1, 1024).value_or_throw();  // P(X ≠ 0) = 2·exp(−512)
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(noise.sample(entropy), 0);
}

TEST(DiscreteGaussian, RefusesParametersOutsideItsRange) {
  const std::uint64_t n = DiscreteGaussian::kMaxNumerator, m = DiscreteGaussian::kMaxDenominator;
  for (const auto& [numerator, denominator] :
       {std::pair<std::uint64_t, std::uint64_t>{0, 1}, {1, 0}, {n + 1, 1}, {n + 1, m}, {1, m + 1}}) {
    const auto noise = DiscreteGaussian::make(numerator, denominator);
    ASSERT_FALSE(noise);
    EXPECT_EQ(noise.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(DiscreteGaussian, KeepsItsLimitAtTwoThousandSigmas) {
  for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{3}, DiscreteGaussian::kMaxDenominator})
    for (std::uint64_t n = 1; n <= DiscreteGaussian::kMaxNumerator; n *= 2) {
      const double sigma = std::sqrt(static_cast<double>(n) / static_cast<double>(m));
      const auto limit = static_cast<double>(DiscreteGaussian::make(n, m).value_or_throw().limit());
      EXPECT_GE(limit, 0x1p11 * sigma) << n << "/" << m;
    }
}

}  // namespace
}  // namespace sotto
