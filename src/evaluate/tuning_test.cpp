#include "sotto/evaluate/tuning.h"

#include <gtest/gtest.h>

#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

constexpr std::size_t kMembers = 4000, kCandidates = 5;

Epsilon epsilon_of(const char* text) { return Epsilon::parse(text).value_or_throw(); }

// Candidate c is right about the first (c + 1)·10 % of the members, except that the last is right about none.
std::vector<bool> correct_of(std::size_t candidate) {
  std::vector<bool> correct(kMembers, false);
  const std::size_t right = candidate + 1 == kCandidates ? 0 : (candidate + 1) * kMembers / 10;
  std::fill(correct.begin(), correct.begin() + static_cast<std::ptrdiff_t>(right), true);
  return correct;
}

using Tune = std::function<Result<Tuning>(std::size_t, const CandidateTrial&, ValidationPanel&, Entropy&)>;

Result<Tuning> tune_as_shipped(std::size_t candidates, const CandidateTrial& trial, ValidationPanel& panel,
                               Entropy& entropy) {
  return tune(candidates, trial, panel, 0.95, entropy, [](const TunedCandidate&) {});
}

// Asks a copy of the panel, so that the members' own account stays as it was.
Result<Tuning> tune_without_charging(std::size_t candidates, const CandidateTrial& trial, ValidationPanel& panel,
                                     Entropy& entropy) {
  Tuning tuning;
  for (std::size_t i = 0; i < candidates; ++i) {
    ValidationPanel copy = panel;
    tuning.ranked.push_back({i, copy.query(trial(i).value_or_throw(), 0.95, entropy).value_or_throw()});
  }
  return tuning;
}

// Charges, but notices the end of the budget only after the candidate has been tried.
Result<Tuning> tune_that_tries_first(std::size_t candidates, const CandidateTrial& trial, ValidationPanel& panel,
                                     Entropy& entropy) {
  Tuning tuning;
  for (std::size_t i = 0; i < candidates && !tuning.stopped; ++i) {
    const auto accuracy = panel.query(trial(i).value_or_throw(), 0.95, entropy);
    if (accuracy)
      tuning.ranked.push_back({i, *accuracy});
    else
      tuning.stopped = accuracy.error();
  }
  return tuning;
}

// Five candidates and a budget for three queries: three are tried, three are charged, and the end is said.
bool keeps_to_the_budget(const Tune& tune_by) {
  auto panel = ValidationPanel::make(kMembers, epsilon_of("0.3"), epsilon_of("1")).value_or_throw();
  SeededEntropy entropy(1);
  std::size_t tried = 0;
  const auto trial = [&](std::size_t candidate) {
    ++tried;
    return Result<std::vector<bool>>(correct_of(candidate));
  };
  const auto tuning = tune_by(kCandidates, trial, panel, entropy);
  return tuning && tuning->ranked.size() == 3 && tried == 3 && panel.queries() == 3 && panel.spent() &&
         panel.spent()->epsilon == epsilon_of("0.9") && tuning->stopped &&
         tuning->stopped->code == ErrorCode::kBudgetExceeded;
}

TEST(Tuning, StopsWhenTheBudgetIsSpentAndChargesEveryQuery) { EXPECT_TRUE(keeps_to_the_budget(tune_as_shipped)); }

TEST(Tuning, TheTestRejectsASearchThatDoesNotChargeOrTriesInVain) {
  EXPECT_FALSE(keeps_to_the_budget(tune_without_charging));
  EXPECT_FALSE(keeps_to_the_budget(tune_that_tries_first));
}

// At ε = 4 the flips move an estimate over 4000 members by 0.002 (one standard deviation); candidates lie 0.1 apart.
TEST(Tuning, RanksTheCandidatesByWhatThePanelTells) {
  auto panel = ValidationPanel::make(kMembers, epsilon_of("4"), epsilon_of("20")).value_or_throw();
  SeededEntropy entropy(2);
  const auto tuning =
      tune_as_shipped(
          kCandidates, [](std::size_t i) { return Result<std::vector<bool>>(correct_of(i)); }, panel, entropy)
          .value_or_throw();
  EXPECT_FALSE(tuning.stopped);
  std::vector<std::size_t> order;
  for (const TunedCandidate& tuned : tuning.ranked) order.push_back(tuned.candidate);
  EXPECT_EQ(order, (std::vector<std::size_t>{3, 2, 1, 0, 4}));
  EXPECT_NEAR(tuning.ranked[0].accuracy.value, 0.4, 0.02);
  EXPECT_EQ(panel.spent()->epsilon, epsilon_of("20"));
}

TEST(Tuning, PassesOnTheErrorOfATrialAndChargesNothingForIt) {
  auto panel = ValidationPanel::make(kMembers, epsilon_of("1"), epsilon_of("9")).value_or_throw();
  SeededEntropy entropy(3);
  const auto trial = [](std::size_t candidate) -> Result<std::vector<bool>> {
    if (candidate == 1) return Error{ErrorCode::kInvalidInput, "training diverged"};
    return correct_of(candidate);
  };
  const auto tuning = tune_as_shipped(kCandidates, trial, panel, entropy);
  ASSERT_FALSE(tuning);
  EXPECT_EQ(tuning.error().message, "training diverged");
  EXPECT_EQ(panel.queries(), 1U);
}

TEST(Tuning, NeedsACandidate) {
  auto panel = ValidationPanel::make(kMembers, epsilon_of("1"), epsilon_of("9")).value_or_throw();
  SeededEntropy entropy(3);
  EXPECT_FALSE(tune_as_shipped(
      0, [](std::size_t i) { return Result<std::vector<bool>>(correct_of(i)); }, panel, entropy));
}

}  // namespace
}  // namespace sotto
