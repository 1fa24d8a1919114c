#include "sotto/channel/piecewise.h"

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

Product box(std::initializer_list<std::int64_t> levels) {
  Product product;
  for (const std::int64_t n : levels) product.coordinates.push_back({n, true});
  return product;
}

struct Moments {
  double total = 0, mean = 0, variance = 0;
};

// By adding up every cell.
Moments moments(const Piecewise& law, double t) {
  Moments sums;
  for (std::int64_t value = -law.bound(); value <= law.bound(); ++value) {
    const double probability = law.pmf(value, t);
    const double y = static_cast<double>(value) / kUnit;
    sums.total += probability;
    sums.mean += probability * y;
    sums.variance += probability * y * y;
  }
  sums.variance -= sums.mean * sums.mean;
  return sums;
}

TEST(Piecewise, CellsAddUpToTheMeanAndVarianceOfThePaper) {
  for (const double epsilon : {1.0, 2.5, 5.0, 30.0, 128.0}) {
    const Piecewise law(epsilon);
    const double s = std::exp(epsilon / 2);
    for (const double t : {-1.0, 0.2, 1.0}) {
      const Moments sums = moments(law, t);
      EXPECT_NEAR(sums.total, 1, 1e-9) << "epsilon = " << epsilon << ", t = " << t;
      EXPECT_NEAR(sums.mean, t, 1e-6) << "epsilon = " << epsilon << ", t = " << t;
      EXPECT_NEAR(sums.variance, t * t / (s - 1) + (s + 3) / (3 * (s - 1) * (s - 1)), 1e-6)
          << "epsilon = " << epsilon << ", t = " << t;
    }
  }
}

// At both ends of the piece of every input, where cells are cut, and in between.
TEST(Piecewise, NoTwoInputsAreMoreThanEpsilonApart) {
  for (const double epsilon : {0.01, 1.0, 2.5, 5.0, 30.0}) {
    const Piecewise law(epsilon);
    std::vector<std::int64_t> values = {-law.bound(), law.bound()};
    for (std::int64_t value = -law.bound(); value <= law.bound(); value += law.bound() / 50) values.push_back(value);
    const double reach = 1 / std::tanh(epsilon / 4);
    for (int i = -10; i <= 10; ++i)
      for (const double end : {-1.0, 1.0}) {
        const double edge = ((reach + 1) * i / 10 + end * (reach - 1)) / 2 * kUnit;
        for (std::int64_t near = -1; near <= 1; ++near)
          values.push_back(std::clamp<std::int64_t>(std::llround(edge) + near, -law.bound(), law.bound()));
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
    EXPECT_GE(worst, epsilon * (1 - 1e-9) - 1e-9);
  }
}

// 200,000 draws in 40 bins, alpha 1e-6. Detects a piece whose mass is off by 0.01; the mutant, ε = 2.2 in place of 2,
// moves it by 0.02.
double p_value_of_draws(const Piecewise& sampler, const Piecewise& law, double t, std::uint64_t seed) {
  constexpr std::size_t kSamples = 200000;
  constexpr std::int64_t kBins = 40;
  const std::int64_t width = 2 * law.bound() / kBins + 1;
  const auto bin = [&](std::int64_t value) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>((value + law.bound()) / width, 0, kBins - 1));
  };
  SeededEntropy entropy(seed);
  std::vector<double> counts(kBins);
  std::vector<double> probabilities(kBins);
  for (std::size_t i = 0; i < kSamples; ++i) ++counts[bin(sampler.draw(t, entropy))];
  for (std::int64_t value = -law.bound(); value <= law.bound(); ++value) probabilities[bin(value)] += law.pmf(value, t);
  return inexact_statistics::p_value_of_counts(counts, probabilities, kSamples);
}

TEST(Piecewise, DrawsFromItsLaw) {
  const Piecewise law(2);
  for (const double t : {-1.0, 0.3, 1.0}) {
    EXPECT_GT(p_value_of_draws(law, law, t, 2), kAlpha);
    EXPECT_LT(p_value_of_draws(Piecewise(2.2), law, t, 2), kAlpha);
  }
}

TEST(Piecewise, SamplesAsManyCoordinatesAsThePaper) {
  const auto pairs = [](std::size_t dimension, const std::string& epsilon) {
    const Product many{std::vector<Coordinate>(dimension, {256, true})};
    return make_piecewise(many, epsilon_of(epsilon)).value_or_throw()->report_length() / 2;
  };
  EXPECT_EQ(pairs(784, "0.1"), 1);
  EXPECT_EQ(pairs(784, "4.99"), 1);
  EXPECT_EQ(pairs(784, "5"), 2);
  EXPECT_EQ(pairs(784, "10"), 4);
  EXPECT_EQ(pairs(3, "100"), 3);
}

TEST(Piecewise, LikelihoodIsTheChoiceTimesTheLawOfEachChosenCoordinate) {
  const auto channel = make_piecewise(box({3, 5, 11, 2}), epsilon_of("6")).value_or_throw();  // two of four, 3 each
  const Piecewise law(3);
  const std::vector<std::int64_t> point = {0, 2, 10, 1};
  const std::vector<std::int64_t> report = {1, 12345, 2, -700000};
  EXPECT_NEAR(channel->log_likelihood(report, point),
              std::log(law.pmf(12345, 0.0)) + std::log(law.pmf(-700000, 1.0)) - std::log(6.0), 1e-12);
  for (const std::vector<std::int64_t>& wrong :
       {std::vector<std::int64_t>{2, 12345, 1, 0}, {1, 12345, 1, 0}, {1, 12345, 4, 0}, {1, law.bound() + 1, 2, 0}}) {
    EXPECT_FALSE(channel->is_possible(wrong));
    EXPECT_EQ(channel->log_likelihood(wrong, point), -std::numeric_limits<double>::infinity());
  }
}

// Every pair of corners and middles, over 300 reports drawn from them.
TEST(Piecewise, NoTwoRecordsAreMoreThanEpsilonApart) {
  const auto channel = make_piecewise(box({3, 3, 3}), epsilon_of("6")).value_or_throw();
  SeededEntropy entropy(3);
  std::vector<std::int64_t> report(channel->report_length());
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    const std::vector<std::int64_t> drawn_about = {i % 3, i / 3 % 3, i / 9 % 3};
    channel->sample(drawn_about, entropy, report);
    double least = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < 27; ++j) {
      const std::vector<std::int64_t> point = {j % 3, j / 3 % 3, j / 9};
      least = std::min(least, channel->log_likelihood(report, point));
      most = std::max(most, channel->log_likelihood(report, point));
    }
    worst = std::max(worst, most - least);
  }
  EXPECT_NEAR(worst, 6, 6e-9);
}

// 200,000 reports, alpha 1e-6 per coordinate; detects a bias of 5 standard errors, about 1 % of a coordinate's span.
// The mutant forgets that a coordinate is seen only every other time.
TEST(Piecewise, EstimatesAreUnbiased) {
  const auto channel = make_piecewise(box({3, 5, 11, 2}), epsilon_of("6")).value_or_throw();
  const std::vector<std::int64_t> point = {2, 1, 9, 0};
  const std::vector<double> middle = {1, 2, 5, 0.5};
  SeededEntropy entropy(4);
  std::vector<std::int64_t> report(channel->report_length());
  std::vector<double> estimate(4);
  std::vector<Mean> right(4);
  std::vector<Mean> mutant(4);
  for (int i = 0; i < 200000; ++i) {
    channel->sample(point, entropy, report);
    EXPECT_LT(report[0], report[2]);
    channel->estimate(report, estimate);
    for (std::size_t j = 0; j < 4; ++j) {
      right[j].add(estimate[j]);
      mutant[j].add(middle[j] + (estimate[j] - middle[j]) / 2);
    }
  }
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_GT(right[j].p_value_of(static_cast<double>(point[j])), kAlpha);
    EXPECT_LT(mutant[j].p_value_of(static_cast<double>(point[j])), kAlpha);
  }
}

TEST(Piecewise, ClaimsEpsilonButSaysInexact) {
  const auto channel = make_piecewise(box({3}), epsilon_of("1.4")).value_or_throw();
  EXPECT_EQ(channel->claim().epsilon, epsilon_of("1.4"));
  EXPECT_EQ(channel->claim().exactness, Exactness::kInexact);
  EXPECT_EQ(channel->claim().proof, "docs/proofs/inexact.md");
}

TEST(Piecewise, RefusesHostileParameters) {
  const auto message = [](const Product& product, const Epsilon& epsilon) {
    const auto channel = make_piecewise(product, epsilon);
    return channel ? std::string() : channel.error().message;
  };
  const Epsilon huge = Epsilon::make(Rational::make(129, 1).value_or_throw()).value_or_throw();
  const Epsilon tiny = Epsilon::make(Rational::make(1, 1000001).value_or_throw()).value_or_throw();
  EXPECT_NE(message(box({3}), huge).find("epsilon"), std::string::npos);
  EXPECT_NE(message(box({3}), tiny).find("epsilon"), std::string::npos);
  EXPECT_NE(message(box({}), epsilon_of("1")).find("coordinates"), std::string::npos);
  EXPECT_NE(message(box({1}), epsilon_of("1")).find("levels"), std::string::npos);
  EXPECT_NE(message(Product::categories(3), epsilon_of("1")).find("ordered"), std::string::npos);
}

TEST(Piecewise, RefusesPointsOutsideTheBox) {
  const auto channel = make_piecewise(box({3}), epsilon_of("1")).value_or_throw();
  SeededEntropy entropy(5);
  std::vector<std::int64_t> report(channel->report_length());
  EXPECT_THROW(channel->sample(std::vector<std::int64_t>{3}, entropy, report), Failure);
}

}  // namespace
}  // namespace sotto
