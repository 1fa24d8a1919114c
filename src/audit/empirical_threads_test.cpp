// What the empirical audit promises apart from statistics; small enough for the thread sanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "sotto/audit/empirical_audit.h"
#include "sotto/audit/mutants_test.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

Attack small_attack(const Channel& channel) {
  Attack attack = attack_on(channel, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1});
  attack.reports = 8000;
  attack.entropy = [](std::size_t stream) { return std::make_unique<SeededEntropy>(stream); };
  return attack;
}

TEST(EmpiricalAttack, IsReproducibleWithSeededEntropy) {
  const auto channel = make_randomized_response(3, eps("1")).value_or_throw();
  const auto first = audit_empirically(small_attack(*channel), eps("1"), Delta::zero()).value_or_throw();
  const auto second = audit_empirically(small_attack(*channel), eps("1"), Delta::zero()).value_or_throw();
  ASSERT_EQ(first.findings.size(), 4U);
  EXPECT_EQ(first.epsilon_low, second.epsilon_low);
  for (std::size_t i = 0; i < first.findings.size(); ++i) {
    EXPECT_EQ(first.findings[i].hits, second.findings[i].hits);
    EXPECT_EQ(first.findings[i].event, second.findings[i].event);
  }
}

TEST(EmpiricalAttack, DrawsAsManyReportsAsItSays) {
  const auto channel = make_randomized_response(3, eps("1")).value_or_throw();
  Attack attack = small_attack(*channel);
  std::atomic<std::uint64_t> drawn = 0;
  attack.victim = [&, inner = attack.victim](std::size_t which, Entropy& entropy, std::span<std::int64_t> report) {
    ++drawn;
    inner(which, entropy, report);
  };
  const auto audit = audit_empirically(attack, eps("1"), Delta::zero()).value_or_throw();
  EXPECT_EQ(audit.reports, drawn.load());
  EXPECT_GE(audit.reports, attack.reports);
  EXPECT_EQ(audit.findings[0].trials, 2000U);
}

TEST(EmpiricalAttack, TurnsAFailureInAThreadIntoAnError) {
  const auto channel = make_randomized_response(3, eps("1")).value_or_throw();
  Attack attack = small_attack(*channel);
  std::atomic<int> calls = 0;
  attack.victim = [&, inner = attack.victim](std::size_t which, Entropy& entropy, std::span<std::int64_t> report) {
    if (++calls > 20'000) throw Failure({ErrorCode::kEntropyFailure, "no entropy"});
    inner(which, entropy, report);
  };
  const auto audit = audit_empirically(attack, eps("1"), Delta::zero());
  ASSERT_FALSE(audit);
  EXPECT_EQ(audit.error().code, ErrorCode::kEntropyFailure);
}

TEST(EmpiricalAttack, RefusesOptionsOutOfRange) {
  const auto channel = make_randomized_response(3, eps("1")).value_or_throw();
  const auto refused = [&](auto change) {
    Attack attack = small_attack(*channel);
    change(attack);
    const auto audit = audit_empirically(attack, eps("1"), Delta::zero());
    return !audit && audit.error().code == ErrorCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused([](Attack& attack) { attack.reports = 10; }));
  EXPECT_TRUE(refused([](Attack& attack) { attack.alpha = 0; }));
  EXPECT_TRUE(refused([](Attack& attack) { attack.alpha = std::nan(""); }));
  EXPECT_TRUE(refused([](Attack& attack) { attack.victim = nullptr; }));
  EXPECT_TRUE(refused([](Attack& attack) { attack.report_length = 0; }));
}

TEST(ClopperPearson, AgreesWithClosedForms) {
  EXPECT_EQ(clopper_pearson_lower(0, 100, 0.01), 0);
  EXPECT_EQ(clopper_pearson_upper(100, 100, 0.01), 1);
  EXPECT_NEAR(clopper_pearson_upper(0, 100, 0.01), 1 - std::pow(0.01, 0.01), 1e-12);
  EXPECT_NEAR(clopper_pearson_lower(100, 100, 0.01), std::pow(0.01, 0.01), 1e-12);
}

// For every p on a grid, the chance to draw a count whose bound misses p is at most α: no approximation at any count.
TEST(ClopperPearson, MissesWithProbabilityAtMostAlpha) {
  constexpr int kTrials = 30;
  constexpr double kAlpha = 0.05;
  for (double p = 0.01; p < 1; p += 0.01) {
    double missed_low = 0;
    double missed_high = 0;
    for (int hits = 0; hits <= kTrials; ++hits) {
      const double chance =
          std::exp(std::lgamma(kTrials + 1.0) - std::lgamma(hits + 1.0) - std::lgamma(kTrials - hits + 1.0) +
                   hits * std::log(p) + (kTrials - hits) * std::log1p(-p));
      if (clopper_pearson_lower(static_cast<std::uint64_t>(hits), kTrials, kAlpha) > p) missed_low += chance;
      if (clopper_pearson_upper(static_cast<std::uint64_t>(hits), kTrials, kAlpha) < p) missed_high += chance;
    }
    EXPECT_LE(missed_low, kAlpha);
    EXPECT_LE(missed_high, kAlpha);
  }
}

}  // namespace
}  // namespace sotto
