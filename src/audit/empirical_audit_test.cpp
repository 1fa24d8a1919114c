// Attacks on honest channels and on mutants. Each audit has α = 1e-3 and a fixed seed.
#include "sotto/audit/empirical_audit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/audit/mutants_test.h"
#include "sotto/channel/duchi.h"
#include "sotto/channel/lattice_gaussian.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/channel/subset_selection.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

using Integers = std::vector<std::int64_t>;

EmpiricalAudit run(Attack attack, std::uint64_t reports, const char* epsilon, const Delta& delta = Delta::zero()) {
  attack.reports = reports;
  attack.entropy = [](std::size_t stream) { return std::make_unique<SeededEntropy>(1000 + stream); };
  return audit_empirically(attack, eps(epsilon), delta).value_or_throw();
}

EmpiricalAudit run(const Channel& channel, const Integers& first, const Integers& second, std::uint64_t reports) {
  return run(attack_on(channel, first, second), reports, channel.claim().epsilon.to_string().c_str(),
             channel.claim().delta);
}

// By someone who does not know the law.
Attack attack_on(const Sampler& sampler, std::size_t report_length, const Integers& first, const Integers& second) {
  Attack attack;
  attack.report_length = report_length;
  attack.victim = [=](std::size_t which, Entropy& entropy, std::span<std::int64_t> report) {
    sampler(which == 0 ? first : second, entropy, report);
  };
  return attack;
}

double bound_by(const EmpiricalAudit& audit, Distinguisher distinguisher) {
  for (const Finding& finding : audit.findings)
    if (finding.distinguisher == distinguisher) return finding.epsilon_low;
  return 0;
}

// An honest channel is not accused, and the bound comes close to ε: an attack that found nothing would show nothing.
// With 250,000 reports for each record in the second half, a frequency of 0.1 is known to 3 % at this confidence.
void expect_honest_and_nearly_reached(const EmpiricalAudit& audit, double share_of_epsilon) {
  EXPECT_FALSE(audit.broken);
  EXPECT_GT(audit.epsilon_low, share_of_epsilon * audit.epsilon.to_double());
  EXPECT_LE(audit.epsilon_low, audit.epsilon.to_double());
}

TEST(EmpiricalAudit, HonestLatticeLaplaceAtFullSizeIsNotAccused) {
  const auto channel = make_lattice_laplace({8, 65536}, eps("1")).value_or_throw();
  const Integers corner{65536, 0, 0, 0, 0, 0, 0, 0};
  const Integers opposite{-65536, 0, 0, 0, 0, 0, 0, 0};
  const Integers other_axis{0, 0, 0, 0, 0, 0, 0, 65536};
  expect_honest_and_nearly_reached(run(*channel, corner, opposite, 1'000'000), 0.95);
  expect_honest_and_nearly_reached(run(*channel, corner, other_axis, 1'000'000), 0.95);
}

TEST(EmpiricalAudit, HonestRandomizedResponseIsNotAccused) {
  const auto channel = make_randomized_response(10, eps("1.4")).value_or_throw();
  expect_honest_and_nearly_reached(run(*channel, {3}, {7}, 1'000'000), 0.95);
}

TEST(EmpiricalAudit, HonestSubsetSelectionIsNotAccused) {
  const auto channel = make_subset_selection(20, eps("1")).value_or_throw();
  expect_honest_and_nearly_reached(run(*channel, {0}, {19}, 1'000'000), 0.95);
}

TEST(EmpiricalAudit, HonestDuchiIsNotAccused) {
  const auto channel = make_duchi({std::vector<Coordinate>(4, {17, true})}, eps("1")).value_or_throw();
  expect_honest_and_nearly_reached(run(*channel, {0, 0, 0, 0}, {16, 16, 16, 16}, 1'000'000), 0.95);
}

// δ is subtracted before the ratio is taken; without that a Gaussian's far tail would be held against it.
TEST(EmpiricalAudit, HonestLatticeGaussianIsNotAccused) {
  const Delta delta = Delta::parse("1e-3").value_or_throw();
  const auto channel = make_lattice_gaussian({2, 1000}, eps("1"), delta).value_or_throw();
  expect_honest_and_nearly_reached(run(*channel, {1000, 0}, {-1000, 0}, 1'000'000), 0.5);
}

TEST(EmpiricalAudit, ScaleForTheRadiusIsCaught) {
  const Sampler mutant = lattice_sampler(share_of(eps("1"), 1000));
  const auto audit = run(attack_on(mutant, 2, {1000, 0}, {-1000, 0}), 400'000, "1");
  EXPECT_TRUE(audit.broken);
  EXPECT_GT(audit.epsilon_low, 1.8);
  EXPECT_LE(audit.epsilon_low, 2);
  const Sampler honest = lattice_sampler(share_of(eps("1"), 2000));
  EXPECT_FALSE(run(attack_on(honest, 2, {1000, 0}, {-1000, 0}), 400'000, "1").broken);
}

TEST(EmpiricalAudit, OneStepTooManyIsCaughtAtASmallResolution) {
  const Sampler honest_noise = lattice_sampler(share_of(eps("1"), 2 * 3));
  const auto audit = run(attack_on(honest_noise, 1, {4}, {-4}), 400'000, "1");
  EXPECT_TRUE(audit.broken);
  EXPECT_GT(audit.epsilon_low, 1.25);
  EXPECT_FALSE(run(attack_on(honest_noise, 1, {3}, {-3}), 400'000, "1").broken);
}

TEST(EmpiricalAudit, LastCoordinateWithoutNoiseIsCaughtByValuesThatOnlyOneRecordHas) {
  const auto channel = make_lattice_laplace({8, 65536}, eps("1")).value_or_throw();
  const Sampler mutant = sampler_without_noise_on_the_last(*channel);
  const auto audit = run(attack_on(mutant, 8, {0, 0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 2}), 100'000, "1");
  EXPECT_TRUE(audit.broken);
  EXPECT_GT(bound_by(audit, Distinguisher::kExactValue), 7) << "25,000 against 0";
}

TEST(EmpiricalAudit, LabelThatIsAlwaysTrueIsCaught) {
  const auto audit = run(attack_on(sample_the_truth, 1, {0}, {1}), 100'000, "4");
  EXPECT_TRUE(audit.broken);
  EXPECT_GT(audit.epsilon_low, 7);
}

// The truth exceeds ε by log(256/200) = 0.247. A lie has probability 0.004, known to 6 % from 600,000 reports.
TEST(EmpiricalAudit, BiasedUniformLieIsCaught) {
  const auto audit = run(attack_on(sampler_of_lies_modulo(201, eps("1")), 1, {150}, {151}), 2'400'000, "1");
  EXPECT_TRUE(audit.broken);
  const auto honest = make_randomized_response(201, eps("1")).value_or_throw();
  EXPECT_FALSE(run(*honest, {150}, {151}, 2'400'000).broken);
}

TEST(EmpiricalAudit, DuchiWithTiesInBothHalfSpacesIsCaught) {
  const auto audit = run(attack_on(duchi_sampler_with_ties(eps("1")), 2, {1, 1}, {1, 0}), 400'000, "1");
  EXPECT_TRUE(audit.broken);
  EXPECT_GT(audit.epsilon_low, 1.2);
  EXPECT_LE(audit.epsilon_low, std::log(std::exp(1) + 1));
}

TEST(EmpiricalAudit, SubsetSelectionWithOddsForAllCategoriesIsCaught) {
  const auto audit = run(attack_on(subset_sampler_with_odds_for_k(5, 4, eps("1/2")), 4, {1}, {3}), 400'000, "1/2");
  EXPECT_TRUE(audit.broken);
  EXPECT_GT(audit.epsilon_low, 1);
  EXPECT_LE(audit.epsilon_low, std::log(5) - 0.5);
}

// [Mir12]: floating-point Laplace has the right histogram and the wrong bits. Records 0 and 1 at sensitivity 1: the
// histogram confirms ε = 1, while a quarter of the reports about 0 have a mantissa that no report about 1 can have.
TEST(EmpiricalAudit, NaiveFloatingPointLaplaceFallsToItsBitPatternAndNotToItsHistogram) {
  const auto naive = run(attack_on(sample_naive_laplace, 1, {0}, {1}), 1'000'000, "1");
  EXPECT_TRUE(naive.broken);
  EXPECT_EQ(naive.findings[0].distinguisher, Distinguisher::kBitPattern);
  EXPECT_GT(bound_by(naive, Distinguisher::kBitPattern), 5);
  EXPECT_LE(bound_by(naive, Distinguisher::kHistogram), 1);
  EXPECT_GT(bound_by(naive, Distinguisher::kHistogram), 0.9);
}

TEST(EmpiricalAudit, LatticeLaplaceDoesNotFallToTheSameAttack) {
  const auto channel = make_lattice_laplace({1, 1 << 20}, eps("1")).value_or_throw();
  const auto audit = run(*channel, {1 << 20}, {-(1 << 20)}, 1'000'000);
  EXPECT_FALSE(audit.broken);
  EXPECT_LE(bound_by(audit, Distinguisher::kBitPattern), 1);
}

// α is kept: an auditor that accuses with probability 0.1 accuses more than 56 of 300 with probability below 1e-6. Its
// twin, which believes the frequencies as they are, is far beyond that.
TEST(EmpiricalAudit, AccusesTheHonestNoMoreOftenThanAlpha) {
  const auto channel = make_randomized_response(2, eps("1")).value_or_throw();
  Attack attack = attack_on(*channel, Integers{0}, Integers{1});
  attack.reports = 4000;
  attack.alpha = 0.1;
  int accused = 0;
  int accused_without_confidence = 0;
  for (std::uint64_t run_number = 0; run_number < 300; ++run_number) {
    attack.entropy = [=](std::size_t stream) { return std::make_unique<SeededEntropy>(run_number * 10 + stream); };
    const auto audit = audit_empirically(attack, eps("1"), Delta::zero()).value_or_throw();
    accused += audit.broken ? 1 : 0;
    const Finding& best = audit.findings[0];
    const double likelier = static_cast<double>(best.hits[best.likelier]);
    const double less_likely = static_cast<double>(best.hits[1 - best.likelier]);
    accused_without_confidence += std::log(likelier / less_likely) > 1 ? 1 : 0;
  }
  EXPECT_LE(accused, 56);
  EXPECT_GT(accused_without_confidence, 100);
}

}  // namespace
}  // namespace sotto
