#include "sotto/channel/randomized_response.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"
#include "sotto/kernel/scripted_entropy_test.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

TEST(RandomizedResponse, ReachesItsClaimExactlyAndNeverExceedsIt) {
  for (const std::int64_t categories : {2, 3, 10, 100})
    for (const char* epsilon : {"0.001", "0.5", "1", "1.4", "10"}) {
      SCOPED_TRACE(testing::Message() << categories << " categories, epsilon = " << epsilon);
      const auto channel = make_randomized_response(categories, epsilon_of(epsilon)).value_or_throw();
      expect_pure_claim_holds(*channel, true);
    }
}

// All random bytes, up to three: at ε = 6 few enough do not tell the truth that the tree stays small.
bool encloses_its_law(const std::function<std::int64_t(Entropy&)>& draw, const RandomizedResponse& law,
                      std::int64_t category) {
  constexpr double kStrings = 0x1p24;
  const Enumeration found = enumerate(3, draw);
  for (std::int64_t report = 0; report < law.categories(); ++report) {
    const auto decided = found.strings_leading_to.find(report);
    const double low = decided == found.strings_leading_to.end() ? 0 : static_cast<double>(decided->second) / kStrings;
    const double p = std::exp(law.log_pmf(report, category));
    if (!(low <= p && p <= low + static_cast<double>(found.undecided) / kStrings)) return false;
  }
  return static_cast<double>(found.undecided) / kStrings < 1.01 * 0x1p-16;  // one of the first words
}

TEST(RandomizedResponse, EnclosesItsLawOverAllByteStrings) {
  const auto response = RandomizedResponse::make(3, epsilon_of("6")).value_or_throw();
  for (const std::int64_t category : {0, 1, 2})
    EXPECT_TRUE(
        encloses_its_law([&](Entropy& entropy) { return response.sample(category, entropy); }, response, category));
}

TEST(RandomizedResponse, EnumerationRejectsABiasedUniformAndAReturningTruth) {
  const auto response = RandomizedResponse::make(3, epsilon_of("6")).value_or_throw();
  const auto truth = ExpOdds::make(1, 2, 6, 1).value_or_throw();
  const auto biased = [&](Entropy& entropy) -> std::int64_t {
    if (truth.heads(entropy)) return 0;
    return entropy.take<std::uint8_t>() % 3 == 0 ? 1 : 2;
  };
  const auto returning = [&](Entropy& entropy) -> std::int64_t {  // uniform over all three, the truth included
    return truth.heads(entropy) ? 0 : static_cast<std::int64_t>(uniform_below(3, entropy));
  };
  EXPECT_FALSE(encloses_its_law(biased, response, 0));
  EXPECT_FALSE(encloses_its_law(returning, response, 0));
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off.
TEST(RandomizedResponse, DrawsFromItsLikelihood) {
  for (const std::int64_t categories : {2, 10, 300})
    for (const char* epsilon : {"0.5", "1", "10"}) {
      const auto channel = make_randomized_response(categories, epsilon_of(epsilon)).value_or_throw();
      EXPECT_GT(fit_of_sampler(*channel, {0}, 300000), kAlpha) << categories << ", " << epsilon;
      EXPECT_GT(fit_of_sampler(*channel, {categories - 1}, 300000), kAlpha) << categories << ", " << epsilon;
    }
}

TEST(RandomizedResponse, LikelihoodFitRejectsAWrongEpsilon) {
  const auto channel = make_randomized_response(10, epsilon_of("1.05")).value_or_throw();
  const auto judge = make_randomized_response(10, epsilon_of("1")).value_or_throw();
  EXPECT_LT(fit_of_sampler(*channel, {3}, 300000, *judge), kRejected);
}

TEST(RandomizedResponse, RefusesFewerThanTwoCategories) {
  EXPECT_FALSE(make_randomized_response(1, epsilon_of("1")));
  EXPECT_FALSE(make_randomized_response(0, epsilon_of("1")));
  EXPECT_FALSE(make_randomized_response(-5, epsilon_of("1")));
  EXPECT_FALSE(make_randomized_response(kMaxResolution + 2, epsilon_of("1")));
  EXPECT_TRUE(make_randomized_response(kMaxResolution + 1, epsilon_of("100")));
}

}  // namespace
}  // namespace sotto
