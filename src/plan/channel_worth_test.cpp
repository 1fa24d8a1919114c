// Against closed forms. 2,000 draws leave a standard error of at most 2 % in each number; 8 % is four of them.
#include "sotto/plan/channel_worth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/channel/randomized_response.h"

namespace sotto {
namespace {

Epsilon epsilon(const char* text) { return Epsilon::parse(text).value_or_throw(); }

struct Closed {
  double information, variance;
};

// Randomised response keeps the truth with probability p and says each other category with q.
Closed randomized_response(double k, double eps) {
  const double p = std::exp(eps) / (std::exp(eps) + k - 1), q = 1 / (std::exp(eps) + k - 1);
  const double information = (std::log(k) + p * std::log(p) + (k - 1) * q * std::log(q)) / std::log(2);
  const double own = p * (1 - p), other = q * (1 - q);
  return {information, (own + (k - 1) * other) / k / ((p - q) * (p - q))};
}

TEST(ChannelWorth, AgreesWithClosedFormsForRandomisedResponse) {
  for (const auto& [categories, text] : {std::pair{2, "1"}, {10, "2"}, {40, "3"}}) {
    const auto channel = make_randomized_response(categories, epsilon(text)).value_or_throw();
    const ChannelWorth worth = worth_of(*channel, 1);
    const Closed closed = randomized_response(categories, epsilon(text).to_double());
    EXPECT_NEAR(worth.information / closed.information, 1, 0.08) << categories;
    EXPECT_NEAR(worth.variance / closed.variance, 1, 0.08) << categories;
  }
}

// The band is narrow enough to notice an epsilon that is a tenth too large.
TEST(ChannelWorth, NoticesAnotherEpsilon) {
  const auto channel = make_randomized_response(10, epsilon("2.2")).value_or_throw();
  const ChannelWorth worth = worth_of(*channel, 1);
  const Closed closed = randomized_response(10, 2);
  EXPECT_GT(std::abs(worth.information / closed.information - 1), 0.08);
  EXPECT_GT(std::abs(worth.variance / closed.variance - 1), 0.08);
}

TEST(ChannelWorth, FindsSubsetsBestWheneverTheyAre) {
  // For many categories and little epsilon by far, for few and much as good as randomised response: [YB18].
  EXPECT_EQ(best_family(160, epsilon("1"), 1).value_or_throw().family, ChannelFamily::kSubsetSelection);
  EXPECT_EQ(best_family(10, epsilon("8"), 1).value_or_throw().family, ChannelFamily::kSubsetSelection);
  const auto randomized = make_randomized_response(160, epsilon("1")).value_or_throw();
  EXPECT_LT(best_family(160, epsilon("1"), 1).value_or_throw().worth.variance, 0.3 * worth_of(*randomized, 1).variance);
}

}  // namespace
}  // namespace sotto
