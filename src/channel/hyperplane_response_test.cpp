#include "sotto/channel/hyperplane_response.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"

namespace sotto {
namespace {

TEST(HyperplaneResponse, ReachesItsClaimExactlyAndNeverExceedsIt) {
  for (const L2Ball& ball : {L2Ball{1, 1}, L2Ball{1, 4}, L2Ball{2, 3}, L2Ball{3, 2}})
    for (const char* epsilon : {"0.001", "0.5", "1", "1.4", "10"}) {
      SCOPED_TRACE(testing::Message() << ball.dimension << " dimensions, epsilon = " << epsilon);
      const auto channel = make_hyperplane_response(ball, epsilon_of(epsilon), 16).value_or_throw();
      const Exhaustion found = exhaust(*channel, channel->claim().epsilon);
      EXPECT_NEAR(found.log_ratio, channel->claim().epsilon.to_double(), kRounding);
      EXPECT_LE(found.hockey_stick, kRounding);
      EXPECT_LE(found.total_error, 1e-10);
      EXPECT_EQ(channel->claim().exactness, Exactness::kExact);
      EXPECT_TRUE(channel->claim().delta.is_zero());
    }
}

// Two mistakes: the side of a long point told without noise, and a hyperplane chosen by a look at the point.
TEST(HyperplaneResponse, ClaimCheckRejectsMutants) {
  const L2Ball ball{2, 3};
  const Epsilon epsilon = epsilon_of("1");
  const auto honest = make_hyperplane_response(ball, epsilon, 8).value_or_throw();
  const auto is_above = [](Report report, Point point) {
    return hyperplane_coefficient(report[0], 0) * point[0] + hyperplane_coefficient(report[0], 1) * point[1] >= 0;
  };
  const PmfChannel noiseless(ball, epsilon, honest->report_ranges(), [&](Report report, Point point) {
    return (is_above(report, point) ? 1 : 0) == report[1] ? 1.0 / 8 : 0.0;
  });
  EXPECT_GT(exhaust(noiseless, epsilon).log_ratio, 100);
  const PmfChannel peeking(ball, epsilon, honest->report_ranges(), [&](Report report, Point point) {
    const double weight = report[0] == (point[0] > 0 ? 0 : 1) ? 2.0 / 9 : 1.0 / 9;
    return 8 * weight * std::exp(honest->log_likelihood(report, point));
  });
  EXPECT_GT(exhaust(peeking, epsilon).log_ratio, 1.5);
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off, and a point of another length.
TEST(HyperplaneResponse, DrawsFromItsLikelihood) {
  const L2Ball ball{3, 9};
  const auto channel = make_hyperplane_response(ball, epsilon_of("1"), 8).value_or_throw();
  for (const Integers& point : {Integers{9, 0, 0}, Integers{-4, 6, 5}, Integers{0, 2, -1}, Integers{0, 0, 0}})
    EXPECT_GT(fit_of_sampler(*channel, point, 300000), kAlpha);
  const auto wrong = make_hyperplane_response(ball, epsilon_of("1.05"), 8).value_or_throw();
  EXPECT_LT(fit_of_sampler(*wrong, {9, 0, 0}, 300000, *channel), kRejected);
  const PmfChannel longer(ball, epsilon_of("1"), channel->report_ranges(), [&](Report report, Point) {
    return std::exp(channel->log_likelihood(report, Integers{0, 9, 0}));
  });
  EXPECT_LT(fit_of_sampler(*channel, {0, 5, 0}, 300000, longer), kRejected);
}

// The mean of estimates over the first hyperplanes, both answers weighed by their probability: no draws are needed.
std::vector<double> mean_estimate(const Integers& point, std::int64_t resolution) {
  constexpr std::int64_t kSome = 400'000;
  const auto channel = make_hyperplane_response({point.size(), resolution}, epsilon_of("1"), kSome).value_or_throw();
  std::vector<double> mean(point.size(), 0), estimate(point.size());
  for (std::int64_t hyperplane = 0; hyperplane < kSome; ++hyperplane)
    for (const std::int64_t side : {0, 1}) {
      const Integers report{hyperplane, side};
      channel->estimate(report, estimate);
      const double weight = std::exp(channel->log_likelihood(report, point));
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += weight * estimate[i];
    }
  return mean;
}

// A coordinate's standard error is about 100·0.75/√400,000 = 0.12.
TEST(HyperplaneResponse, EstimatesPointsToWithinAPercent) {
  for (const Integers& point :
       {Integers{100, 0, 0, 0}, Integers{70, -70, 0, 0}, Integers{50, 50, -50, 50}, Integers{3, 40, -9, 0}}) {
    const auto mean = mean_estimate(point, 100);
    for (std::size_t i = 0; i < point.size(); ++i)
      EXPECT_NEAR(mean[i], static_cast<double>(point[i]), 1.6) << "coordinate " << i << " of " << point[0];
  }
}

TEST(HyperplaneResponse, HyperplanesStayWhatTheyAre) {  // files and reports of years ago depend on it
  EXPECT_EQ(hyperplane_coefficient(0, 0), 2);
  EXPECT_EQ(hyperplane_coefficient(1, 0), 4);
  EXPECT_EQ(hyperplane_coefficient(kHyperplanes - 1, 63), 8);
}

TEST(HyperplaneResponse, RefusesWhatItCannotHold) {
  EXPECT_FALSE(make_hyperplane_response({0, 3}, epsilon_of("1")));
  EXPECT_FALSE(make_hyperplane_response({3, 0}, epsilon_of("1")));
  EXPECT_FALSE(make_hyperplane_response({3, 3}, epsilon_of("1"), 0));
  EXPECT_FALSE(make_hyperplane_response({3, 3}, epsilon_of("1"), kHyperplanes + 1));
}

}  // namespace
}  // namespace sotto
