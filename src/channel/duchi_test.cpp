#include "sotto/channel/duchi.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"

namespace sotto {
namespace {

Product box(std::size_t dimension, std::int64_t levels) { return {std::vector<Coordinate>(dimension, {levels, true})}; }

TEST(Duchi, ReachesItsClaimExactlyAndNeverExceedsIt) {
  for (const char* epsilon : {"0.01", "0.5", "1", "1.4", "10"})
    for (const auto& [dimension, levels] : {std::pair{1, 2}, {1, 9}, {2, 4}, {3, 4}, {4, 3}, {5, 2}, {6, 2}}) {
      SCOPED_TRACE(testing::Message() << dimension << " dimensions, epsilon = " << epsilon);
      expect_pure_claim_holds(*make_duchi(box(dimension, levels), epsilon_of(epsilon)).value_or_throw(), true);
    }
}

TEST(Duchi, TakesCoordinatesOfDifferentLevels) {
  expect_pure_claim_holds(*make_duchi({{{2, true}, {5, true}, {3, true}}}, epsilon_of("1.4")).value_or_throw(), true);
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off.
TEST(Duchi, DrawsFromItsLikelihood) {
  for (const std::size_t dimension : {1, 2, 3, 4, 7}) {
    const auto channel = make_duchi(box(dimension, 4), epsilon_of("1")).value_or_throw();
    for (const std::int64_t level : {0, 2, 3})
      EXPECT_GT(fit_of_sampler(*channel, Integers(dimension, level), 300000), kAlpha) << dimension << ", " << level;
  }
}

TEST(Duchi, LikelihoodFitRejectsAWrongEpsilon) {
  const auto channel = make_duchi(box(3, 4), epsilon_of("1.05")).value_or_throw();
  const auto judge = make_duchi(box(3, 4), epsilon_of("1")).value_or_throw();
  EXPECT_LT(fit_of_sampler(*channel, {0, 3, 0}, 300000, *judge), kRejected);
}

// With d even, ties s·v = 0 are neither favoured nor forgotten; counting them as favoured shifts every probability.
TEST(Duchi, LikelihoodFitRejectsTiesCountedAsFavoured) {
  const double e = std::exp(1.0);
  const PmfChannel ties_favoured(box(2, 2), epsilon_of("1"), {{0, 1}, {0, 1}}, [=](Report report, Point point) {
    const bool opposite = report[0] != point[0] && report[1] != point[1];
    return (opposite ? 1 : e) / (3 * e + 1);
  });
  const auto channel = make_duchi(box(2, 2), epsilon_of("1")).value_or_throw();
  EXPECT_LT(fit_of_sampler(*channel, {0, 1}, 300000, ties_favoured), kRejected);
}

// Beyond 64 coordinates several words of random bits are used: every coordinate must come out unbiased and independent
// of where it stands. 20,000 reports of d = 200, each mean within 6 standard errors.
TEST(Duchi, EstimatesEveryCoordinateInManyDimensions) {
  constexpr std::size_t kDimension = 200;
  constexpr int kReports = 20000;
  SeededEntropy entropy(3);
  const auto channel = make_duchi(box(kDimension, 11), epsilon_of("4")).value_or_throw();
  Integers point(kDimension), report(kDimension);
  for (std::size_t i = 0; i < kDimension; ++i) point[i] = static_cast<std::int64_t>(i % 11);
  std::vector<double> estimate(kDimension), mean(kDimension, 0), square(kDimension, 0);
  for (int r = 0; r < kReports; ++r) {
    channel->sample(point, entropy, report);
    channel->estimate(report, estimate);
    for (std::size_t i = 0; i < kDimension; ++i) {
      mean[i] += estimate[i] / kReports;
      square[i] += estimate[i] * estimate[i] / kReports;
    }
  }
  double signal = 0;  // and the means tell the points apart, so that the test could fail
  for (std::size_t i = 0; i < kDimension; ++i) {
    const double error = std::sqrt((square[i] - mean[i] * mean[i]) / kReports);
    EXPECT_NEAR(mean[i], static_cast<double>(point[i]), 6 * error) << i;
    signal = std::max(signal, 10 / error);
  }
  EXPECT_GT(signal, 12);
}

TEST(Duchi, RefusesCategories) {
  EXPECT_FALSE(make_duchi({{{2, true}, {5, false}}}, epsilon_of("1")));
  EXPECT_FALSE(make_duchi({}, epsilon_of("1")));
  EXPECT_FALSE(make_duchi(box(3, 1), epsilon_of("1")));
}

}  // namespace
}  // namespace sotto
