#include "sotto/channel/privunit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sotto/channel/inexact_statistics_test.h"
#include "sotto/channel/scalar_dp.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

using inexact_statistics::kAlpha;
using inexact_statistics::Mean;

Epsilon epsilon_of(const std::string& text) { return Epsilon::parse(text).value_or_throw(); }

SymmetricBeta law_of(std::size_t dimension) { return SymmetricBeta((static_cast<double>(dimension) - 1) / 2); }

std::unique_ptr<Channel> privunit(std::size_t dimension, std::int64_t resolution, const std::string& epsilon) {
  return make_privunit({dimension, resolution}, epsilon_of(epsilon)).value_or_throw();
}

// What the channel chose for itself.
struct Split {
  PrivUnitCap cap;
  double second_moment_of_length;  // in units of the longest
};
Split split(std::size_t dimension, std::int64_t longest, double epsilon) {
  const SymmetricBeta law = law_of(dimension);
  const double for_length = epsilon * static_cast<double>(length_share_of_64(law, longest, epsilon)) / 64;
  return {best_cap(law, epsilon - for_length),
          scalar_dp_second_moment(scalar_dp_steps(longest, for_length), for_length)};
}

std::vector<std::int64_t> some_point(std::size_t dimension, std::int64_t length) {
  std::vector<std::int64_t> point;
  for (std::size_t i = 0; i < dimension; ++i) point.push_back(static_cast<std::int64_t>(i * i * 7 % 23) - 9);
  point.push_back(length);
  return point;
}

double cosine(Report vector, Point direction) {
  double inner = 0;
  double a = 0;
  double b = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const auto v = static_cast<double>(vector[i]);
    const auto u = static_cast<double>(direction[i]);
    inner += v * u;
    a += v * v;
    b += u * u;
  }
  return inner / std::sqrt(a * b);
}

TEST(PrivUnit, CapMeetsTheExactEpsilonByBoostsCapProbability) {
  for (const std::size_t dimension : {2, 3, 50, 784, 3072})
    for (const double epsilon : {0.01, 1.0, 4.0, 10.0}) {
      const PrivUnitCap cap = best_cap(law_of(dimension), epsilon);
      const double a = (static_cast<double>(dimension) - 1) / 2;
      const double share = boost::math::ibeta(a, a, (1 - cap.gamma) / 2);
      EXPECT_NEAR(cap.cap_share / share, 1, 1e-10);
      EXPECT_NEAR(std::log(cap.chance / (1 - cap.chance) * (1 - share) / share), epsilon, 1e-9 * (1 + epsilon));
      EXPECT_NEAR(cap.log_in_cap, std::log(cap.chance / share), 1e-9);
      EXPECT_NEAR(cap.log_in_cap - cap.log_beyond, epsilon, 1e-12 * (1 + epsilon));
    }
}

// m as in [Bho19], from Boost's incomplete beta functions, over a grid of caps and of all p that ε allows.
TEST(PrivUnit, NoOtherCapHasALargerMean) {
  for (const std::size_t dimension : {3, 50, 784})
    for (const double epsilon : {0.5, 4.0, 10.0}) {
      const double a = (static_cast<double>(dimension) - 1) / 2;
      const auto mean = [&](double gamma, double p) {
        const double share = boost::math::ibeta(a, a, (1 - gamma) / 2);
        const double partial = std::pow(1 - gamma * gamma, a) / (std::pow(4.0, a) * a * boost::math::beta(a, a));
        return partial * (p / share - (1 - p) / (1 - share));
      };
      const PrivUnitCap cap = best_cap(law_of(dimension), epsilon);
      EXPECT_NEAR(mean(cap.gamma, cap.chance) / cap.mean, 1, 1e-9);
      for (double gamma = 0; gamma < std::min(0.95, 3 * cap.gamma); gamma += cap.gamma / 50) {
        const double share = boost::math::ibeta(a, a, (1 - gamma) / 2);
        const double most = share * std::exp(epsilon) / (1 + share * std::expm1(epsilon));
        for (const double p : {most, 0.99 * most, 0.5 * most}) EXPECT_LE(mean(gamma, p), cap.mean * (1 + 1e-9));
      }
    }
}

TEST(PrivUnit, SplitsEpsilonWhereTheErrorIsLeast) {
  const SymmetricBeta law = law_of(784);
  for (const double epsilon : {1.0, 4.0, 10.0}) {
    const auto error = [&](double for_length) {
      const double mean = best_cap(law, epsilon - for_length).mean;
      return scalar_dp_second_moment(scalar_dp_steps(65536, for_length), for_length) / (mean * mean) - 1;
    };
    const Split chosen = split(784, 65536, epsilon);
    const double least = chosen.second_moment_of_length / (chosen.cap.mean * chosen.cap.mean) - 1;
    for (int i = 1; i < 40; ++i) EXPECT_LE(least, error(epsilon * i / 40) * 1.01);
  }
}

// In two dimensions, on a sublattice: every report stands for its square of 2^13 × 2^13.
TEST(PrivUnit, LikelihoodsAddUpToOne) {
  const auto channel = privunit(2, 100, "4");
  constexpr std::int64_t kStride = std::int64_t{1} << 13;
  const std::vector<std::int64_t> point = {30, -70, 41};
  double total = 0;
  for (std::int64_t x = -500; x < 500; ++x)
    for (std::int64_t y = -500; y < 500; ++y)
      for (std::int64_t symbol = 0; symbol <= channel->report_ranges().back().high; ++symbol)
        total += std::exp(channel->log_likelihood(
            std::vector<std::int64_t>{x * kStride + kStride / 2, y * kStride + kStride / 2, symbol}, point));
  EXPECT_NEAR(total * kStride * kStride, 1, 1e-3);
}

// Reports drawn about each of 40 points, against all pairs of those points. Their lengths are multiples of the symbols'
// step, so that the bound is met, not only kept.
TEST(PrivUnit, NoTwoRecordsAreMoreThanEpsilonApart) {
  for (const char* text : {"0.5", "4", "10"}) {
    const auto channel = privunit(3, 60, text);
    SeededEntropy entropy(1);
    std::vector<std::vector<std::int64_t>> points;
    for (std::int64_t i = 0; i < 40; ++i)
      points.push_back({i % 7 - 3, i % 5 - 2, i % 11 - 5 + (i == 0 ? 1 : 0), i % 2 * 60});
    std::vector<std::int64_t> report(channel->report_length());
    double worst = 0;
    for (int i = 0; i < 400; ++i) {
      channel->sample(points[static_cast<std::size_t>(i) % points.size()], entropy, report);
      double least = std::numeric_limits<double>::infinity();
      double most = -least;
      for (const auto& point : points) {
        least = std::min(least, channel->log_likelihood(report, point));
        most = std::max(most, channel->log_likelihood(report, point));
      }
      worst = std::max(worst, most - least);
    }
    EXPECT_NEAR(worst / epsilon_of(text).to_double(), 1, 1e-9);
  }
}

// 100,000 reports in two dimensions, in squares of side 1/4, whose probabilities come from a sublattice; alpha 1e-6.
// Sees direction and norm at once. Detects a cap probability that is off by 0.02; the mutant, ε = 4.8 in place of 4,
// moves it by 0.05.
double p_value_of_draws(const Channel& sampler, const Channel& law, std::uint64_t seed) {
  constexpr std::size_t kSamples = 100000;
  constexpr std::int64_t kSide = std::int64_t{1} << 18;
  constexpr std::int64_t kStride = kSide / 32;
  constexpr std::int64_t kSquares = 14;  // on each side of the origin
  const std::vector<std::int64_t> point = {30, -70, 41};
  SeededEntropy entropy(seed);
  std::vector<double> counts(4 * kSquares * kSquares + 1);
  std::vector<double> probabilities(counts.size());
  const auto bin = [](std::int64_t x, std::int64_t y) {
    const std::int64_t column = (x + kSquares * kSide) >> 18;
    const std::int64_t row = (y + kSquares * kSide) >> 18;
    const bool inside = std::min(column, row) >= 0 && std::max(column, row) < 2 * kSquares;
    return static_cast<std::size_t>(inside ? row * 2 * kSquares + column : 4 * kSquares * kSquares);
  };
  std::vector<std::int64_t> report(law.report_length());
  for (std::size_t i = 0; i < kSamples; ++i) {
    sampler.sample(point, entropy, report);
    ++counts[bin(report[0], report[1])];
  }
  for (std::int64_t x = -kSquares * kSide + kStride / 2; x < kSquares * kSide; x += kStride)
    for (std::int64_t y = -kSquares * kSide + kStride / 2; y < kSquares * kSide; y += kStride)
      for (std::int64_t symbol = 0; symbol <= law.report_ranges().back().high; ++symbol)
        probabilities[bin(x, y)] +=
            kStride * kStride * std::exp(law.log_likelihood(std::vector<std::int64_t>{x, y, symbol}, point));
  return inexact_statistics::p_value_of_counts(counts, probabilities, kSamples);
}

TEST(PrivUnit, DrawsFromItsLaw) {
  const auto channel = privunit(2, 100, "4");
  EXPECT_GT(p_value_of_draws(*channel, *channel, 2), kAlpha);
  EXPECT_LT(p_value_of_draws(*privunit(2, 100, "4.8"), *channel, 2), kAlpha);
}

// 10,000 reports in 784 dimensions: the cosine to the true direction, put through the distribution function that
// Boost's incomplete beta gives it, is uniform; 20 bins, alpha 1e-6. Detects a bin off by a third; the mutant takes the
// cap of ε = 9 for that of ε = 10.
TEST(PrivUnit, CosinesHaveTheirLawInManyDimensions) {
  constexpr std::size_t kDimension = 784;
  constexpr std::size_t kSamples = 10000;
  constexpr double kShape = 391.5;
  const auto channel = privunit(kDimension, 1000, "10");
  const auto place = [](double x, const PrivUnitCap& cap) {
    const double below = boost::math::ibeta(kShape, kShape, x);
    if (x <= (1 - cap.gamma) / 2) return cap.chance * below / cap.cap_share;
    return cap.chance + (1 - cap.chance) * (below - cap.cap_share) / (1 - cap.cap_share);
  };
  const PrivUnitCap right = split(kDimension, 1000, 10).cap;
  const PrivUnitCap mutant = split(kDimension, 1000, 9).cap;
  std::vector<double> right_counts(20);
  std::vector<double> mutant_counts(20);
  const std::vector<std::int64_t> point = some_point(kDimension, 500);
  SeededEntropy entropy(3);
  std::vector<std::int64_t> report(channel->report_length());
  for (std::size_t i = 0; i < kSamples; ++i) {
    channel->sample(point, entropy, report);
    const double x = (1 - cosine(Report(report).first(kDimension), Point(point).first(kDimension))) / 2;
    ++right_counts[static_cast<std::size_t>(std::clamp(20 * place(x, right), 0.0, 19.0))];
    ++mutant_counts[static_cast<std::size_t>(std::clamp(20 * place(x, mutant), 0.0, 19.0))];
  }
  const std::vector<double> uniform(20, 0.05);
  EXPECT_GT(inexact_statistics::p_value_of_counts(right_counts, uniform, kSamples), kAlpha);
  EXPECT_LT(inexact_statistics::p_value_of_counts(mutant_counts, uniform, kSamples), kAlpha);
}

// 100,000 reports in 6 dimensions, alpha 1e-6 for each coordinate and for the part along the true direction. Detects a
// normaliser m that is off by 2 %; the mutant takes γ·p for it, which is off by 18 %.
TEST(PrivUnit, EstimatesAreUnbiased) {
  const auto channel = privunit(6, 1000, "6");
  const std::vector<std::int64_t> point = some_point(6, 800);
  double size = 0;
  for (std::size_t i = 0; i < 6; ++i) size += static_cast<double>(point[i] * point[i]);
  const PrivUnitCap cap = split(6, 1000, 6).cap;
  const double mutation = cap.mean / (cap.gamma * cap.chance);
  SeededEntropy entropy(4);
  std::vector<std::int64_t> report(channel->report_length());
  std::vector<double> estimate(6);
  std::vector<Mean> right(6);
  Mean along;
  Mean mutant;
  for (int i = 0; i < 100000; ++i) {
    channel->sample(point, entropy, report);
    channel->estimate(report, estimate);
    double inner = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      right[j].add(estimate[j]);
      inner += estimate[j] * static_cast<double>(point[j]) / std::sqrt(size);
    }
    along.add(inner);
    mutant.add(inner * mutation);
  }
  for (std::size_t j = 0; j < 6; ++j)
    EXPECT_GT(right[j].p_value_of(800 * static_cast<double>(point[j]) / std::sqrt(size)), kAlpha);
  EXPECT_GT(along.p_value_of(800), kAlpha);
  EXPECT_LT(mutant.p_value_of(800), kAlpha);
}

// 20,000 reports in 20 dimensions about the longest record, alpha 1e-6. Detects an error that is off by 2 %; the mutant
// forgets the noise of the length.
TEST(PrivUnit, MeanSquaredErrorIsTheOneItMinimises) {
  constexpr std::int64_t kLongest = 1000;
  const auto channel = privunit(20, kLongest, "4");
  const std::vector<std::int64_t> point = some_point(20, kLongest);
  double size = 0;
  for (std::size_t i = 0; i < 20; ++i) size += static_cast<double>(point[i] * point[i]);
  SeededEntropy entropy(5);
  std::vector<std::int64_t> report(channel->report_length());
  std::vector<double> estimate(20);
  Mean error;
  for (int i = 0; i < 20000; ++i) {
    channel->sample(point, entropy, report);
    channel->estimate(report, estimate);
    double squared = 0;
    for (std::size_t j = 0; j < 20; ++j)
      squared += std::pow(estimate[j] / kLongest - static_cast<double>(point[j]) / std::sqrt(size), 2);
    error.add(squared);
  }
  const Split chosen = split(20, kLongest, 4);
  const double of_direction = 1 / (chosen.cap.mean * chosen.cap.mean);
  EXPECT_GT(error.p_value_of(of_direction * chosen.second_moment_of_length - 1), kAlpha);
  EXPECT_LT(error.p_value_of(of_direction - 1), kAlpha);
}

// Two dimensions and ε = 100 ask for a cap narrower than the report resolves.
TEST(PrivUnit, StaysSaneWhenTheCapIsAsNarrowAsAllowed) {
  const auto channel = privunit(2, 1000, "100");
  const std::vector<std::int64_t> point = {3, 4, 500};
  SeededEntropy entropy(6);
  std::vector<std::int64_t> report(channel->report_length());
  std::vector<double> estimate(2);
  for (int i = 0; i < 1000; ++i) {
    channel->sample(point, entropy, report);
    channel->estimate(report, estimate);
    EXPECT_NEAR(estimate[0], 300, 3);
    EXPECT_NEAR(estimate[1], 400, 3);
    EXPECT_GT(channel->log_likelihood(report, point),
              channel->log_likelihood(report, std::vector<std::int64_t>{4, 3, 500}));
  }
}

TEST(PrivUnit, ClaimsEpsilonButSaysInexact) {
  const auto channel = privunit(5, 1000, "1.4");
  EXPECT_EQ(channel->claim().epsilon, epsilon_of("1.4"));
  EXPECT_EQ(channel->claim().exactness, Exactness::kInexact);
  EXPECT_EQ(channel->report_length(), 6);
  EXPECT_EQ(channel->estimate_length(), 5);
}

TEST(PrivUnit, RefusesHostileParameters) {
  const auto message = [](const DirectionAndLength& sphere, const Epsilon& epsilon) {
    const auto channel = make_privunit(sphere, epsilon);
    return channel ? std::string() : channel.error().message;
  };
  const Epsilon huge = Epsilon::make(Rational::make(129, 1).value_or_throw()).value_or_throw();
  const Epsilon tiny = Epsilon::make(Rational::make(1, 1000001).value_or_throw()).value_or_throw();
  EXPECT_NE(message({5, 1000}, huge).find("epsilon"), std::string::npos);
  EXPECT_NE(message({5, 1000}, tiny).find("epsilon"), std::string::npos);
  EXPECT_NE(message({1, 1000}, epsilon_of("1")).find("dimension"), std::string::npos);
  EXPECT_NE(message({kMaxDimension + 1, 1000}, epsilon_of("1")).find("dimension"), std::string::npos);
  EXPECT_NE(message({5, 0}, epsilon_of("1")).find("resolution"), std::string::npos);
}

TEST(PrivUnit, RefusesADirectionOfNothing) {
  const auto channel = privunit(2, 1000, "1");
  SeededEntropy entropy(7);
  std::vector<std::int64_t> report(channel->report_length());
  EXPECT_THROW(channel->sample(std::vector<std::int64_t>{0, 0, 5}, entropy, report), Failure);
}

}  // namespace
}  // namespace sotto
