#include "sotto/evaluate/ldp_validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

Epsilon epsilon_of(const char* text) { return Epsilon::parse(text).value_or_throw(); }

std::vector<bool> right_about(std::size_t right, std::size_t members) {
  std::vector<bool> correct(members, false);
  std::fill(correct.begin(), correct.begin() + static_cast<std::ptrdiff_t>(right), true);
  return correct;
}

constexpr std::size_t kMembers = 2000, kRight = 1400;
constexpr int kQueries = 400;

using Query = std::function<Proportion(const std::vector<bool>&, Entropy&)>;

struct Trial {
  double z_of_mean;      // how many standard errors the mean estimate is off
  double mean_square_z;  // of single estimates: 1 when the noise has the size it should have
  double coverage;
};

// The panel's own accuracy is fixed, so only the flips vary: sd = sqrt(p(1−p)/n)/(1−2p).
Trial run(const Query& query, double epsilon) {
  SeededEntropy entropy(5);
  const double p = 1 / (std::exp(epsilon) + 1);
  const double truth = static_cast<double>(kRight) / kMembers;
  const double sd = std::sqrt(p * (1 - p) / kMembers) / (1 - 2 * p);
  double sum = 0, squares = 0, covered = 0;
  for (int i = 0; i < kQueries; ++i) {
    const Proportion estimate = query(right_about(kRight, kMembers), entropy);
    const double z = (estimate.value - truth) / sd;
    sum += z;
    squares += z * z;
    covered += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
  }
  return {sum / std::sqrt(kQueries), squares / kQueries, covered / kQueries};
}

// α ≈ 1e-6: |z| < 4.9 for the mean; the mean square of 400 normal deviates has sd 0.071, so within 0.36 of 1.
// With 800,000 flips a p that is 0.3 % off (0.0008 at ε = 1) moves the mean by 6 standard errors.
bool is_unbiased_with_the_right_noise(const Trial& trial) {
  return std::abs(trial.z_of_mean) < 4.9 && std::abs(trial.mean_square_z - 1) < 0.36;
}

Query honest(const char* epsilon) {
  return [=](const std::vector<bool>& correct, Entropy& entropy) {
    auto panel = ValidationPanel::make(correct.size(), epsilon_of(epsilon), epsilon_of(epsilon)).value_or_throw();
    return panel.query(correct, 0.95, entropy).value_or_throw();
  };
}

TEST(ValidationPanel, EstimatesTheAccuracyWithoutBiasAndWithTheNoiseOfItsFlips) {
  EXPECT_TRUE(is_unbiased_with_the_right_noise(run(honest("1"), 1)));
  EXPECT_TRUE(is_unbiased_with_the_right_noise(run(honest("4"), 4)));
}

// At least 95 % less what 400 samples leave open (four standard errors): 0.906.
TEST(ValidationPanel, CoversTheAccuracyOfItsMembersAtLeastAsOftenAsItSays) {
  EXPECT_GE(run(honest("1"), 1).coverage, 0.906);
  EXPECT_GE(run(honest("4"), 4).coverage, 0.906);
}

// Flips with a channel of `epsilon_flip`, counts the ones, and reads them with `read`.
Query mutant(const char* epsilon_flip, const std::function<Proportion(std::size_t ones)>& read) {
  return [=](const std::vector<bool>& correct, Entropy& entropy) {
    const auto response = RandomizedResponse::make(2, epsilon_of(epsilon_flip)).value_or_throw();
    std::size_t ones = 0;
    for (const bool is_right : correct) ones += static_cast<std::size_t>(response.sample(is_right ? 1 : 0, entropy));
    return read(ones);
  };
}

TEST(ValidationPanel, TheTestRejectsWhatIsNotDebiasedOrFlipsWithAnotherProbability) {
  const auto debiased = [](std::size_t ones) { return debias(ones, kMembers, 1, 0.95).value_or_throw(); };
  const auto biased = [](std::size_t ones) { return wilson_interval(ones, kMembers, 0.95).value_or_throw(); };
  const auto shifted = [](std::size_t ones) {  // forgets to divide by 1 − 2p
    Proportion estimate = wilson_interval(ones, kMembers, 0.95).value_or_throw();
    estimate.value -= 1 / (std::exp(1.0) + 1);
    return estimate;
  };
  EXPECT_TRUE(is_unbiased_with_the_right_noise(run(mutant("1", debiased), 1)));  // the harness itself is sound
  EXPECT_FALSE(is_unbiased_with_the_right_noise(run(mutant("1.05", debiased), 1)));
  EXPECT_FALSE(is_unbiased_with_the_right_noise(run(mutant("0.95", debiased), 1)));
  EXPECT_FALSE(is_unbiased_with_the_right_noise(run(mutant("1", biased), 1)));
  EXPECT_FALSE(is_unbiased_with_the_right_noise(run(mutant("1", shifted), 1)));
  EXPECT_LT(run(mutant("1", biased), 1).coverage, 0.5);
}

TEST(Debias, InvertsTheFlipAtItsExpectation) {
  for (const double epsilon : {0.5, 1.0, 4.0}) {
    const double p = 1 / (std::exp(epsilon) + 1);
    const double ones = 1e9 * (0.7 * (1 - p) + 0.3 * p);
    EXPECT_NEAR(debias(static_cast<std::size_t>(ones), 1'000'000'000, epsilon, 0.95).value_or_throw().value, 0.7, 1e-8);
  }
}

TEST(Debias, MayLeaveTheUnitIntervalButItsIntervalDoesNot) {
  const Proportion low = debias(0, 100, 0.5, 0.95).value_or_throw();
  EXPECT_LT(low.value, 0);
  EXPECT_EQ(low.low, 0);
  EXPECT_EQ(low.high, 0);
  const Proportion high = debias(80, 100, 0.5, 0.95).value_or_throw();
  EXPECT_GT(high.value, 1);
  EXPECT_EQ(high.high, 1);
}

TEST(Debias, RefusesAnEpsilonThatSaysNothing) {
  EXPECT_FALSE(debias(1, 2, 0, 0.95));
  EXPECT_FALSE(debias(1, 2, std::nan(""), 0.95));
}

class Budget : public testing::Test {
 protected:
  ValidationPanel panel_ = ValidationPanel::make(10, epsilon_of("0.3"), epsilon_of("1")).value_or_throw();
  SeededEntropy entropy_ = SeededEntropy(1);
};

TEST_F(Budget, AddsUpOverQueriesExactly) {
  EXPECT_FALSE(panel_.spent().has_value());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(panel_.query(right_about(5, 10), 0.95, entropy_));
  EXPECT_EQ(panel_.queries(), 3U);
  EXPECT_EQ(panel_.spent()->epsilon, epsilon_of("0.9"));
  EXPECT_TRUE(panel_.spent()->delta.is_zero());
  EXPECT_EQ(panel_.spent()->exactness, Exactness::kExact);
}

TEST_F(Budget, AQueryBeyondTheTotalIsRefusedAndChangesNothing) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(panel_.query(right_about(5, 10), 0.95, entropy_));
  const auto refused = panel_.query(right_about(5, 10), 0.95, entropy_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBudgetExceeded);
  EXPECT_NE(refused.error().message.find("epsilon = 1.2 of the members' total of 1"), std::string::npos);
  EXPECT_EQ(panel_.queries(), 3U);
  EXPECT_EQ(panel_.spent()->epsilon, epsilon_of("0.9"));
}

TEST_F(Budget, MayBeSpentToTheLast) {
  auto panel = ValidationPanel::make(10, epsilon_of("0.5"), epsilon_of("1")).value_or_throw();
  EXPECT_TRUE(panel.query(right_about(5, 10), 0.95, entropy_));
  EXPECT_TRUE(panel.query(right_about(5, 10), 0.95, entropy_));
  EXPECT_FALSE(panel.query(right_about(5, 10), 0.95, entropy_));
}

TEST_F(Budget, AWrongQueryCostsNothing) {
  EXPECT_FALSE(panel_.query(right_about(5, 9), 0.95, entropy_));
  EXPECT_FALSE(panel_.query(right_about(5, 10), 1.5, entropy_));
  EXPECT_EQ(panel_.queries(), 0U);
  EXPECT_FALSE(panel_.spent().has_value());
}

class NoEntropy final : public Entropy {
 private:
  void fill(std::span<std::uint8_t>) override { throw Failure({ErrorCode::kEntropyFailure, "no entropy"}); }
};

TEST_F(Budget, AQueryThatFailsForWantOfEntropyIsCharged) {
  NoEntropy none;
  const auto failed = panel_.query(right_about(5, 10), 0.95, none);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kEntropyFailure);
  EXPECT_EQ(panel_.spent()->epsilon, epsilon_of("0.3"));
}

TEST_F(Budget, APanelNeedsMembersAndRoomForOneQuery) {
  EXPECT_FALSE(ValidationPanel::make(0, epsilon_of("1"), epsilon_of("1")));
  EXPECT_FALSE(ValidationPanel::make(5, epsilon_of("1.1"), epsilon_of("1")));
}

}  // namespace
}  // namespace sotto
