#include "sotto/channel/exponential.h"

#include <gtest/gtest.h>

#include "sotto/channel/distant_codes_test.h"
#include "sotto/channel/exhaustion_test.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/channel/subset_selection.h"

namespace sotto {
namespace {

std::vector<Product> some_codes() {
  return {codes_in_groups(2, 1, 1),     codes_in_groups(2, 1, 32),    codes_on_a_line(3),
          codes_on_a_line(9),           codes_in_groups(8, 4, 3),     codes_in_groups(7, 3, 5),
          codes_at_odd_distances(6, 4), codes_at_odd_distances(11, 9)};
}

double largest_distance(const Product& codes) {
  return *std::max_element(codes.distances.begin(), codes.distances.end());
}

std::unique_ptr<Channel> channel_of(const Product& codes, const char* epsilon) {
  return make_exponential(codes, epsilon_of(epsilon)).value_or_throw();
}

// A weight one smaller would change no probability by more than a factor of 1 + D/(a − 1), up or down.
TEST(Exponential, NeverExceedsItsClaimAndComesAsNearAsItsWeightsAllow) {
  for (const Product& codes : some_codes())
    for (const char* epsilon : {"0.001", "0.5", "1", "1.4", "10"}) {
      SCOPED_TRACE(testing::Message() << codes.coordinates[0].levels << " codes up to " << largest_distance(codes)
                                      << " apart, epsilon = " << epsilon);
      const auto channel = channel_of(codes, epsilon);
      expect_pure_claim_holds(*channel, false);
      const auto weight = static_cast<double>(exponential_weight(codes, epsilon_of(epsilon)).value_or_throw());
      const double step = 2 * std::log1p(largest_distance(codes) / (weight - 1));
      EXPECT_GT(exhaust(*channel, epsilon_of(epsilon)).log_ratio, epsilon_of(epsilon).to_double() - step);
    }
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off.
TEST(Exponential, DrawsFromItsLikelihood) {
  for (const Product& codes : some_codes())
    for (const std::int64_t own : {std::int64_t{0}, codes.coordinates[0].levels - 1})
      EXPECT_GT(fit_of_sampler(*channel_of(codes, "2"), {own}, 300000), kAlpha) << codes.coordinates[0].levels;
}

TEST(Exponential, LikelihoodFitRejectsAWrongEpsilon) {
  const Product codes = codes_on_a_line(9);
  EXPECT_LT(fit_of_sampler(*channel_of(codes, "2.1"), {3}, 300000, *channel_of(codes, "2")), kRejected);
}

TEST(Exponential, IsRandomizedResponseWhenAllCodesAreEquallyFar) {
  const auto channel = channel_of(codes_in_groups(5, 1, 1), "1");
  const auto response = make_randomized_response(5, epsilon_of("1")).value_or_throw();
  for (std::int64_t own = 0; own < 5; ++own)
    for (std::int64_t report = 0; report < 5; ++report)
      EXPECT_NEAR(channel->log_likelihood({&report, 1}, {&own, 1}), response->log_likelihood({&report, 1}, {&own, 1}),
                  1e-6);
}

TEST(Exponential, PrefersNearCodesToFarOnes) {
  const auto channel = channel_of(codes_on_a_line(9), "2");
  const std::int64_t own = 2;
  for (std::int64_t report = own; report < 8; ++report) {
    const std::int64_t next = report + 1;
    EXPECT_GT(channel->log_likelihood({&report, 1}, {&own, 1}), channel->log_likelihood({&next, 1}, {&own, 1}) + 0.05);
  }
}

TEST(Exponential, HasTheSmallestWeightThereIsWhenEpsilonIsLarge) {
  EXPECT_EQ(exponential_weight(codes_in_groups(3, 1, 1), epsilon_of("100")).value_or_throw(), 1U);
  const auto channel = channel_of(codes_in_groups(3, 1, 1), "100");
  EXPECT_LE(exhaust(*channel, epsilon_of("100")).log_ratio, 24 * std::log(2.0) + kRounding);
}

// Then every report is as likely as any other, for every code, and nothing can be estimated.
TEST(Exponential, SaysNothingWhenEpsilonIsTooSmallForItsWeights) {
  const Product codes = codes_in_groups(4, 2, 32);
  const Epsilon epsilon = epsilon_of("0.001").divided_by(1'000'000).value_or_throw();
  EXPECT_EQ(exponential_weight(codes, epsilon).value_or_throw(), std::uint64_t{1} << kExponentialWeightBits);
  const auto channel = make_exponential(codes, epsilon).value_or_throw();
  std::vector<double> estimate(4);
  for (std::int64_t own = 0; own < 4; ++own)
    for (std::int64_t report = 0; report < 4; ++report) {
      EXPECT_NEAR(channel->log_likelihood({&report, 1}, {&own, 1}), std::log(0.25), kRounding);
      try {
        channel->estimate({&report, 1}, estimate);
        ADD_FAILURE() << "an estimate from nothing";
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.error().code, ErrorCode::kUnsupported);
      }
    }
}

// 100 codes with 10 labels: two symbols with different labels are as far apart as any.
TEST(Exponential, KeepsItsClaimForAThousandSymbols) {
  const Product codes = codes_with(1000, [](auto from, auto to) {
    return from % 10 == to % 10 ? 1 + std::abs(from / 10 * 37 % 100 - to / 10 * 37 % 100) * 7 / 99 : 8;
  });
  const auto channel = channel_of(codes, "4");
  double worst = 0;
  for (std::int64_t report = 0; report < 1000; ++report) {
    double least = 0, most = -1e9;
    for (std::int64_t own = 0; own < 1000; ++own) {
      least = std::min(least, channel->log_likelihood({&report, 1}, {&own, 1}));
      most = std::max(most, channel->log_likelihood({&report, 1}, {&own, 1}));
    }
    worst = std::max(worst, most - least);
  }
  EXPECT_LE(worst, 4 + kRounding);
  EXPECT_GT(worst, 4 - 1e-4);
}

// In bits, between a code, uniformly drawn, or its group, and the report.
double information(const Channel& channel, std::int64_t group) {
  const std::int64_t codes = channel.report_ranges()[0].high + 1;
  double bits = 0;
  for_each_tuple(channel.report_ranges(), [&](const Integers& report) {
    if (!channel.is_possible(report)) return;
    std::vector<double> joint(static_cast<std::size_t>(codes / group), 0.0);
    double total = 0;
    for (std::int64_t own = 0; own < codes; ++own) {
      const double p = std::exp(channel.log_likelihood(report, Integers{own})) / static_cast<double>(codes);
      joint[static_cast<std::size_t>(own / group)] += p;
      total += p;
    }
    for (const double p : joint) bits += p * std::log2(p * static_cast<double>(joint.size()) / total);
  });
  return bits;
}

// When it pays: 16 codes in 4 groups. Where the group is what matters, it says far more than channels that take all
// errors to be the same, the more so the smaller ε; about the code itself, it says less than subset selection.
TEST(Exponential, TellsMoreAboutGroupsAndLessAboutCodesThanChannelsWithoutDistances) {
  for (const auto& [epsilon, gain, loss] :
       {std::tuple{"1", 3.5, 0.8}, std::tuple{"2", 2.9, 0.9}, std::tuple{"4", 1.4, 0.63}}) {
    const auto exponential = channel_of(codes_in_groups(16, 4, 8), epsilon);
    const auto subsets = make_subset_selection(16, epsilon_of(epsilon)).value_or_throw();
    const auto response = make_randomized_response(16, epsilon_of(epsilon)).value_or_throw();
    EXPECT_GT(information(*exponential, 4), gain * information(*subsets, 4)) << epsilon;
    EXPECT_GT(information(*exponential, 4), gain * information(*response, 4)) << epsilon;
    EXPECT_GT(information(*exponential, 1), loss * information(*subsets, 1)) << epsilon;
    EXPECT_LT(information(*exponential, 1), information(*subsets, 1)) << epsilon;
  }
}

TEST(Exponential, RefusesCodesWithoutDistancesOrWithImpossibleOnes) {
  EXPECT_FALSE(make_exponential(Product::categories(3), epsilon_of("1")));
  Product codes = codes_on_a_line(3);
  codes.distances.pop_back();
  EXPECT_FALSE(make_exponential(codes, epsilon_of("1")));
  const Epsilon large = epsilon_of("100").times(Rational::make(11, 1).value_or_throw()).value_or_throw();
  EXPECT_EQ(make_exponential(codes_on_a_line(3), large).error().message, "epsilon: must be at most 1024, got 1100");
}

}  // namespace
}  // namespace sotto
