#include "sotto/channel/hybrid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sotto/channel/inexact_statistics_test.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

using inexact_statistics::kAlpha;
using inexact_statistics::Mean;

constexpr auto kUnit = static_cast<double>(kCellsPerUnit);

Epsilon epsilon_of(const std::string& text) { return Epsilon::parse(text).value_or_throw(); }

// As in [Wan19]: the same for every t once the coin is used; two points alone are worst in the middle.
double variance_of_the_paper(double epsilon, double t) {
  const double s = std::exp(epsilon / 2);
  const double points = 1 / (std::tanh(epsilon / 2) * std::tanh(epsilon / 2));
  if (epsilon < 0.609) return points - t * t;
  return (s + 3) / (3 * s * (s - 1)) + points / s;
}

TEST(Hybrid, CellsAddUpToTheMeanAndVarianceOfThePaper) {
  for (const double epsilon : {0.6, 1.0, 2.5, 5.0, 60.0}) {
    const Hybrid law(epsilon);
    for (const double t : {-1.0, 0.2, 1.0}) {
      double total = 0;
      double mean = 0;
      double square = 0;
      for (std::int64_t value = -law.bound(); value <= law.bound(); ++value) {
        const double y = static_cast<double>(value) / kUnit;
        const double probability = law.pmf(value, t);
        total += probability;
        mean += probability * y;
        square += probability * y * y;
      }
      EXPECT_NEAR(total, 1, 1e-9) << "epsilon = " << epsilon << ", t = " << t;
      EXPECT_NEAR(mean, t, 1e-6) << "epsilon = " << epsilon << ", t = " << t;
      const double expected = variance_of_the_paper(epsilon, t);
      EXPECT_NEAR(square - mean * mean, expected, 1e-5 * (1 + expected)) << "epsilon = " << epsilon << ", t = " << t;
    }
  }
}

TEST(Hybrid, ReportsTwoPointsOnlyWhenEpsilonIsSmall) {
  const Hybrid law(0.6);
  EXPECT_EQ(law.bound(), static_cast<std::int64_t>(kUnit / std::tanh(0.3)) + 1);
  EXPECT_GT(law.pmf(law.bound(), 0), 0.49);
  EXPECT_EQ(law.pmf(law.bound() - 1, 0), 0);
  EXPECT_GT(Hybrid(0.62).pmf(0, 0), 0);
  const auto channel = make_hybrid(Product{{{3, true}}}, epsilon_of("0.6")).value_or_throw();
  EXPECT_TRUE(channel->is_possible(std::vector<std::int64_t>{0, -law.bound()}));
  EXPECT_FALSE(channel->is_possible(std::vector<std::int64_t>{0, 0}));
}

// On both points, at the ends of the pieces of all inputs, and in between.
TEST(Hybrid, NoTwoInputsAreMoreThanEpsilonApart) {
  for (const double epsilon : {0.1, 0.6, 0.62, 1.0, 2.5, 5.0, 30.0, 60.0}) {
    const Hybrid law(epsilon);
    const auto point = static_cast<std::int64_t>(kUnit / std::tanh(epsilon / 2)) + 1;
    const double reach = 1 / std::tanh(epsilon / 4);
    std::vector<std::int64_t> values = {-law.bound(), law.bound(), -point, point};
    for (std::int64_t value = -law.bound(); value <= law.bound(); value += law.bound() / 50) values.push_back(value);
    for (int i = -10; i <= 10; ++i)
      for (const double end : {-1.0, 1.0}) {
        const double edge = ((reach + 1) * i / 10 + end * (reach - 1)) / 2 * kUnit;
        values.push_back(std::clamp<std::int64_t>(std::llround(edge), -law.bound(), law.bound()));
      }
    double worst = 0;
    for (const std::int64_t value : values) {
      double least = std::numeric_limits<double>::infinity();
      double most = 0;
      for (int i = -10; i <= 10; ++i) {
        least = std::min(least, law.pmf(value, i / 10.0));
        most = std::max(most, law.pmf(value, i / 10.0));
      }
      if (most > 0) worst = std::max(worst, std::log(most / least));
    }
    EXPECT_LE(worst, epsilon * (1 + 1e-9) + 1e-9);
    EXPECT_GE(worst, std::min(0.999 * epsilon, 27.0));  // beyond, rounding the points up costs some of it
  }
}

// 200,000 draws: the two points, and 40 bins for the rest; alpha 1e-6. Detects a coin that is off by 0.01; the mutant,
// ε = 2.2 in place of 2, moves it by 0.035.
double p_value_of_draws(const Hybrid& sampler, const Hybrid& law, double epsilon, double t, std::uint64_t seed) {
  constexpr std::size_t kSamples = 200000;
  constexpr std::int64_t kBins = 40;
  const auto point = static_cast<std::int64_t>(kUnit / std::tanh(epsilon / 2)) + 1;
  const std::int64_t width = 2 * law.bound() / kBins + 1;
  const auto bin = [&](std::int64_t value) {
    if (std::abs(value) == point) return static_cast<std::size_t>(value > 0 ? kBins : kBins + 1);
    return static_cast<std::size_t>(std::clamp<std::int64_t>((value + law.bound()) / width, 0, kBins - 1));
  };
  SeededEntropy entropy(seed);
  std::vector<double> counts(kBins + 2);
  std::vector<double> probabilities(kBins + 2);
  for (std::size_t i = 0; i < kSamples; ++i) ++counts[bin(sampler.draw(t, entropy))];
  for (std::int64_t value = -law.bound(); value <= law.bound(); ++value) probabilities[bin(value)] += law.pmf(value, t);
  return inexact_statistics::p_value_of_counts(counts, probabilities, kSamples);
}

TEST(Hybrid, DrawsFromItsLaw) {
  const Hybrid law(2);
  for (const double t : {-1.0, 0.3, 1.0}) {
    EXPECT_GT(p_value_of_draws(law, law, 2, t, 1), kAlpha);
    EXPECT_LT(p_value_of_draws(Hybrid(2.2), law, 2, t, 1), kAlpha);
  }
}

// 200,000 reports, alpha 1e-6 per coordinate. Detects 5 standard errors, about 1 % of a coordinate's span. The mutant
// scales as if all of ε went to each of the two sampled coordinates.
TEST(Hybrid, EstimatesAreUnbiased) {
  const Product box{{{3, true}, {5, true}, {11, true}, {2, true}}};
  const auto channel = make_hybrid(box, epsilon_of("6")).value_or_throw();
  EXPECT_EQ(channel->claim().exactness, Exactness::kInexact);
  const std::vector<std::int64_t> point = {2, 1, 9, 0};
  const std::vector<double> middle = {1, 2, 5, 0.5};
  const double mutation = std::tanh(1.5) / std::tanh(3.0);
  SeededEntropy entropy(2);
  std::vector<std::int64_t> report(channel->report_length());
  std::vector<double> estimate(4);
  std::vector<Mean> right(4);
  std::vector<Mean> mutant(4);
  for (int i = 0; i < 200000; ++i) {
    channel->sample(point, entropy, report);
    channel->estimate(report, estimate);
    for (std::size_t j = 0; j < 4; ++j) {
      right[j].add(estimate[j]);
      mutant[j].add(middle[j] + (estimate[j] - middle[j]) * mutation);
    }
  }
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_GT(right[j].p_value_of(static_cast<double>(point[j])), kAlpha);
    EXPECT_LT(mutant[j].p_value_of(static_cast<double>(point[j])), kAlpha);
  }
}

TEST(Hybrid, RefusesHostileParameters) {
  const Epsilon huge = Epsilon::make(Rational::make(1000, 1).value_or_throw()).value_or_throw();
  EXPECT_FALSE(make_hybrid(Product{{{3, true}}}, huge));
  EXPECT_FALSE(make_hybrid(Product{}, epsilon_of("1")));
  EXPECT_FALSE(make_hybrid(Product::categories(3), epsilon_of("1")));
}

}  // namespace
}  // namespace sotto
