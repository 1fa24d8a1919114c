#include "sotto/channel/feature_laplace.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"

namespace sotto {
namespace {

const Product kNumber{{{4, true}}};
const Product kMixed{{{3, true}, {4, false}}};
const Product kThree{{{2, true}, {3, false}, {2, false}}};

TEST(FeatureLaplace, ReachesItsClaimExactlyAndNeverExceedsIt) {
  for (const auto& [features, epsilon] :
       {std::pair{&kNumber, "0.1"}, {&kMixed, "1"}, {&kThree, "1.4"}, {&kThree, "10"}}) {
    SCOPED_TRACE(testing::Message() << features->coordinates.size() << " features, epsilon = " << epsilon);
    expect_pure_claim_holds(*make_feature_laplace(*features, epsilon_of(epsilon)).value_or_throw(), true);
  }
}

// Forgetting to divide ε among the features: each feature's channel at ε, judged as a whole.
TEST(FeatureLaplace, ClaimCheckRejectsAWholeEpsilonForEachFeature) {
  const auto tripled = make_feature_laplace(kThree, epsilon_of("4.2")).value_or_throw();
  EXPECT_GT(exhaust(*tripled, epsilon_of("1.4")).log_ratio, 4);
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off.
TEST(FeatureLaplace, DrawsFromItsLikelihood) {
  const auto channel = make_feature_laplace(kThree, epsilon_of("6")).value_or_throw();
  EXPECT_GT(fit_of_sampler(*channel, {0, 2, 1}, 300000), kAlpha);
  EXPECT_GT(fit_of_sampler(*channel, {1, 0, 0}, 300000), kAlpha);
  const auto wrong = make_feature_laplace(kThree, epsilon_of("6.3")).value_or_throw();
  EXPECT_LT(fit_of_sampler(*wrong, {0, 2, 1}, 300000, *make_feature_laplace(kThree, epsilon_of("6")).value_or_throw()),
            kRejected);
}

TEST(FeatureLaplace, RefusesFeaturesAndSharesThatItCannotHold) {
  EXPECT_FALSE(make_feature_laplace({}, epsilon_of("1")));
  EXPECT_FALSE(make_feature_laplace({{{1, true}}}, epsilon_of("1")));
  const Product fine{std::vector<Coordinate>(7, {kMaxResolution, true})};
  const auto channel = make_feature_laplace(fine, epsilon_of("0.12345678901"));
  ASSERT_FALSE(channel);
  EXPECT_EQ(channel.error().message.find("epsilon"), 0U);
}

}  // namespace
}  // namespace sotto
