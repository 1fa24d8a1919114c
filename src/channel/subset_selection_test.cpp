#include "sotto/channel/subset_selection.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"

namespace sotto {
namespace {

TEST(SubsetSelection, ReachesItsClaimExactlyAndNeverExceedsIt) {
  for (const auto& [categories, size] : {std::pair{2, 1}, {5, 1}, {5, 2}, {6, 3}, {7, 4}, {5, 4}})
    for (const char* epsilon : {"0.001", "0.5", "1", "1.4", "10"}) {
      SCOPED_TRACE(testing::Message() << size << " of " << categories << ", epsilon = " << epsilon);
      expect_pure_claim_holds(*make_subset_selection(categories, size, epsilon_of(epsilon)).value_or_throw(), true);
    }
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off.
TEST(SubsetSelection, DrawsFromItsLikelihood) {
  for (const auto& [categories, size] : {std::pair{2, 1}, {5, 2}, {7, 4}, {8, 7}})
    for (const std::int64_t own : {0, categories / 2, categories - 1}) {
      const auto channel = make_subset_selection(categories, size, epsilon_of("1")).value_or_throw();
      EXPECT_GT(fit_of_sampler(*channel, {own}, 300000), kAlpha) << size << " of " << categories << ", own " << own;
    }
}

TEST(SubsetSelection, LikelihoodFitRejectsAWrongEpsilon) {
  const auto channel = make_subset_selection(7, 3, epsilon_of("1.05")).value_or_throw();
  const auto judge = make_subset_selection(7, 3, epsilon_of("1")).value_or_throw();
  EXPECT_LT(fit_of_sampler(*channel, {3}, 300000, *judge), kRejected);
}

TEST(SubsetSelection, OnlyListsInIncreasingOrderArePossible) {
  const auto channel = make_subset_selection(6, 3, epsilon_of("1")).value_or_throw();
  std::vector<double> estimate(6);
  EXPECT_TRUE(channel->is_possible(Integers{1, 3, 5}));
  for (const Integers& report : {Integers{1, 1, 1}, Integers{1, 3, 3}, Integers{3, 1, 5}, Integers{5, 3, 1}}) {
    EXPECT_FALSE(channel->is_possible(report));
    EXPECT_EQ(channel->log_likelihood(report, Integers{1}), -std::numeric_limits<double>::infinity());
    EXPECT_THROW(channel->estimate(report, estimate), Failure) << "one report would count as many";
  }
}

// The variance of the estimated frequency of a category that nobody has, by the channel's own likelihoods.
double variance(std::int64_t categories, std::int64_t size, double epsilon) {
  const double k = static_cast<double>(categories), w = static_cast<double>(size), e = std::exp(epsilon);
  const double total = w * e + k - w;
  const double own = w * e / total;
  const double other = (w - 1) / (k - 1) * own + w / (k - 1) * (k - w) / total;
  return other * (1 - other) / ((own - other) * (own - other));
}

TEST(SubsetSelection, ChoosesTheSizeOfLeastVariance) {
  for (const std::int64_t categories : {2, 3, 10, 37, 100, 1000})
    for (const char* epsilon : {"0.01", "0.5", "1", "2", "4", "10"}) {
      double least = std::numeric_limits<double>::infinity();
      for (std::int64_t size = 1; size < categories; ++size)
        least = std::min(least, variance(categories, size, epsilon_of(epsilon).to_double()));
      const std::int64_t chosen = optimal_subset_size(categories, epsilon_of(epsilon));
      EXPECT_LE(variance(categories, chosen, epsilon_of(epsilon).to_double()), least * (1 + 1e-9))
          << categories << " categories, epsilon = " << epsilon << ", chosen " << chosen;
      EXPECT_EQ(make_subset_selection(categories, epsilon_of(epsilon)).value_or_throw()->report_length(),
                static_cast<std::size_t>(chosen));
    }
}

TEST(SubsetSelection, RefusesSizesThatSayNothing) {
  EXPECT_FALSE(make_subset_selection(5, 0, epsilon_of("1")));
  EXPECT_FALSE(make_subset_selection(5, 5, epsilon_of("1")));
  EXPECT_FALSE(make_subset_selection(5, -1, epsilon_of("1")));
  EXPECT_FALSE(make_subset_selection(1, epsilon_of("1")));
  EXPECT_FALSE(make_subset_selection(-1, epsilon_of("1")));
}

}  // namespace
}  // namespace sotto
