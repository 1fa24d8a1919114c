#include "sotto/channel/scalar_dp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sotto/channel/inexact_statistics_test.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

using inexact_statistics::kAlpha;

ScalarDp scalar(std::int64_t longest, const std::string& epsilon) {
  return ScalarDp::make(longest, Epsilon::parse(epsilon).value_or_throw()).value_or_throw();
}

template <typename Function>
double expectation(const ScalarDp& law, std::int64_t length, Function function) {
  double sum = 0;
  for (std::int64_t symbol = 0; symbol <= law.steps(); ++symbol)
    sum += std::exp(law.log_pmf(symbol, length)) * function(symbol);
  return sum;
}

TEST(ScalarDp, TakesTheStepsOfThePaperButNoneFinerThanTheLattice) {
  EXPECT_EQ(scalar(1000, "0.001").steps(), 2);
  EXPECT_EQ(scalar(1000, "3").steps(), 3);
  EXPECT_EQ(scalar(1000, "6").steps(), 8);
  EXPECT_EQ(scalar(1000, "60").steps(), 1000);
}

TEST(ScalarDp, HasAProperUnbiasedLawForEveryLength) {
  for (const char* epsilon : {"0.1", "1", "4", "10"}) {
    const ScalarDp law = scalar(50, epsilon);
    for (std::int64_t length = 0; length <= 50; ++length) {
      EXPECT_NEAR(expectation(law, length, [](std::int64_t) { return 1.0; }), 1, 1e-12);
      EXPECT_NEAR(expectation(law, length, [&](std::int64_t s) { return law.unbias(s); }), static_cast<double>(length),
                  1e-10);
    }
  }
}

TEST(ScalarDp, NoTwoLengthsAreMoreThanEpsilonApart) {
  for (const double epsilon : {0.1, 1.0, 4.0, 10.0}) {
    const ScalarDp law = scalar(50, Rational::make(static_cast<Uint128>(epsilon * 10), 10)->to_string());
    double worst = 0;
    for (std::int64_t symbol = 0; symbol <= law.steps(); ++symbol)
      for (std::int64_t a = 0; a <= 50; ++a)
        for (std::int64_t b = 0; b <= 50; ++b) worst = std::max(worst, law.log_pmf(symbol, a) - law.log_pmf(symbol, b));
    EXPECT_NEAR(worst / epsilon, 1, 1e-9);
  }
}

TEST(ScalarDp, TheLongestLengthHasTheStatedAndLargestSecondMoment) {
  for (const double epsilon : {0.5, 2.0, 7.0}) {
    const ScalarDp law = scalar(50, Rational::make(static_cast<Uint128>(epsilon * 10), 10)->to_string());
    const double stated = scalar_dp_second_moment(law.steps(), epsilon) * 50 * 50;
    const auto moment = [&](std::int64_t length) {
      return expectation(law, length, [&](std::int64_t s) { return law.unbias(s) * law.unbias(s); });
    };
    EXPECT_NEAR(moment(50) / stated, 1, 1e-10);
    for (std::int64_t length = 0; length < 50; ++length) EXPECT_LE(moment(length), stated * (1 + 1e-12));
  }
}

// 100,000 draws, alpha 1e-6. Detects a keeping probability that is off by 0.01; the mutant, ε = 2.6 in place of
// 2.4, moves it by 0.03.
double p_value_of_draws(const ScalarDp& sampler, const ScalarDp& law, std::uint64_t seed) {
  constexpr std::size_t kSamples = 100000;
  constexpr std::int64_t kLength = 21;
  SeededEntropy entropy(seed);
  std::vector<double> counts(static_cast<std::size_t>(law.steps()) + 1);
  std::vector<double> probabilities;
  for (std::size_t i = 0; i < kSamples; ++i) ++counts[static_cast<std::size_t>(sampler.sample(kLength, entropy))];
  for (std::int64_t symbol = 0; symbol <= law.steps(); ++symbol)
    probabilities.push_back(std::exp(law.log_pmf(symbol, kLength)));
  return inexact_statistics::p_value_of_counts(counts, probabilities, kSamples);
}

TEST(ScalarDp, DrawsFromItsLaw) {
  const ScalarDp law = scalar(50, "2.4");
  EXPECT_GT(p_value_of_draws(law, law, 1), kAlpha);
  EXPECT_LT(p_value_of_draws(scalar(50, "2.6"), law, 1), kAlpha);
}

TEST(ScalarDp, RefusesLengthsWithoutARange) {
  const Epsilon one = Epsilon::parse("1").value_or_throw();
  for (const std::int64_t longest : {std::int64_t{0}, std::int64_t{-5}, kMaxResolution + 1}) {
    const auto law = ScalarDp::make(longest, one);
    ASSERT_FALSE(law);
    EXPECT_NE(law.error().message.find("longest"), std::string::npos);
  }
}

}  // namespace
}  // namespace sotto
