#include "sotto/channel/hadamard_response.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"
#include "sotto/channel/subset_selection.h"

namespace sotto {
namespace {

TEST(HadamardResponse, ReachesItsClaimExactlyAndNeverExceedsIt) {
  for (const auto& [categories, block] :
       {std::pair{2, 2}, {2, 4}, {3, 4}, {4, 4}, {5, 2}, {5, 4}, {5, 8}, {7, 8}, {8, 8}, {13, 4}, {20, 16}})
    for (const char* epsilon : {"0.001", "0.5", "1", "1.4", "10"}) {
      SCOPED_TRACE(testing::Message() << categories << " in blocks of " << block << ", epsilon = " << epsilon);
      expect_pure_claim_holds(*make_hadamard_response(categories, block, epsilon_of(epsilon)).value_or_throw(), true);
    }
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off.
TEST(HadamardResponse, DrawsFromItsLikelihood) {
  for (const auto& [categories, block] : {std::pair{2, 2}, {5, 4}, {7, 8}, {13, 4}})
    for (const std::int64_t own : {0, categories / 2, categories - 1}) {
      const auto channel = make_hadamard_response(categories, block, epsilon_of("1")).value_or_throw();
      EXPECT_GT(fit_of_sampler(*channel, {own}, 300000), kAlpha) << categories << " in blocks of " << block;
    }
}

TEST(HadamardResponse, LikelihoodFitRejectsAWrongEpsilon) {
  const auto channel = make_hadamard_response(13, 4, epsilon_of("1.05")).value_or_throw();
  const auto judge = make_hadamard_response(13, 4, epsilon_of("1")).value_or_throw();
  EXPECT_LT(fit_of_sampler(*channel, {3}, 300000, *judge), kRejected);
}

// The variance of the estimated frequency of a category that nobody has, summed over everything a channel can report
// about the others in turn.
double variance(const Channel& channel) {
  const std::int64_t categories = std::get<Product>(channel.domain()).coordinates[0].levels;
  double sum = 0;
  std::vector<double> estimate(channel.estimate_length());
  for_each_tuple(channel.report_ranges(), [&](const Integers& report) {
    if (!channel.is_possible(report)) return;
    channel.estimate(report, estimate);
    for (std::int64_t other = 1; other < categories; ++other)
      sum += std::exp(channel.log_likelihood(report, Integers{other})) * estimate[0] * estimate[0] /
             static_cast<double>(categories - 1);
  });
  return sum;
}

TEST(HadamardResponse, ChoosesTheBlockOfLeastVariance) {
  for (const std::int64_t categories : {2, 3, 10, 37, 100})
    for (const char* epsilon : {"0.01", "0.5", "1", "2", "4", "10"}) {
      double least = std::numeric_limits<double>::infinity();
      for (std::int64_t block = 2; block <= 512; block *= 2)
        least =
            std::min(least, variance(*make_hadamard_response(categories, block, epsilon_of(epsilon)).value_or_throw()));
      const auto chosen = make_hadamard_response(categories, epsilon_of(epsilon)).value_or_throw();
      EXPECT_LE(variance(*chosen), least * (1 + 1e-9)) << categories << " categories, epsilon = " << epsilon;
    }
}

// Subset selection is optimal. A single symbol costs little of that at small ε, and at most a factor of three or so.
TEST(HadamardResponse, ComesNearSubsetSelectionWhenEpsilonIsSmall) {
  for (const auto& [epsilon, factor] : {std::pair{"0.25", 1.3}, {"0.5", 1.4}, {"1", 1.7}, {"2", 3.0}, {"4", 3.0}}) {
    const auto hadamard = make_hadamard_response(12, epsilon_of(epsilon)).value_or_throw();
    const auto subsets = make_subset_selection(12, epsilon_of(epsilon)).value_or_throw();
    EXPECT_EQ(hadamard->report_length(), 1U);
    EXPECT_GE(variance(*hadamard), variance(*subsets) * (1 - 1e-9)) << epsilon;
    EXPECT_LE(variance(*hadamard), factor * variance(*subsets)) << epsilon;
  }
}

TEST(HadamardResponse, RefusesBlocksThatAreNotPowersOfTwo) {
  for (const std::int64_t block : {-2, 0, 1, 3, 6})
    EXPECT_FALSE(make_hadamard_response(5, block, epsilon_of("1"))) << block;
  EXPECT_FALSE(make_hadamard_response(5, std::int64_t{1} << 40, epsilon_of("1")));
  EXPECT_FALSE(make_hadamard_response(1, epsilon_of("1")));
  EXPECT_FALSE(make_hadamard_response(-1, epsilon_of("1")));
}

}  // namespace
}  // namespace sotto
