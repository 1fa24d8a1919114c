// Record and label as one point: the shipped release stands, and the mistakes that are easy to make there do not.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "sotto/audit/exact_enumeration.h"
#include "sotto/audit/mechanism_audit.h"
#include "sotto/audit/mutants_test.h"
#include "sotto/constraint/label_join.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using Integers = std::vector<std::int64_t>;

MechanismAudit audit_of(const MechanismSpec& spec, std::string_view epsilon_text) {
  MechanismAuditOptions options;
  options.reports = 40'000;
  options.hostile_inputs = 1000;
  options.entropy = [](std::size_t stream) { return std::make_unique<SeededEntropy>(stream); };
  return audit_mechanism(mechanism_of(spec), joint(epsilon_text), InexactChannels::kRefuse, options).value_or_throw();
}

TEST(JointAudit, ProvesAndAttacksTheChannelOfTheJointDomainAtTheWholeEpsilon) {
  const MechanismAudit audit = audit_of(labelled(l1_spec(2)), "2");
  EXPECT_EQ(audit.verdict(), Verdict::kStands);
  EXPECT_EQ(audit.exact_part, ExactPart::kEnumerated);
  bool wider_than_the_features = false;  // which have two coordinates
  for (const NamedExactAudit& named : audit.exact) {
    EXPECT_EQ(named.audit.epsilon, epsilon("2"));
    EXPECT_TRUE(named.audit.tight) << named.channel;
    EXPECT_FALSE(contains(named.channel, "label"));
    wider_than_the_features |= contains(named.channel, "dimension 3");
  }
  for (const std::string& name : audit.skipped) wider_than_the_features |= contains(name, "dimension 3");
  EXPECT_TRUE(wider_than_the_features);
  EXPECT_EQ(audit.empirical.epsilon, epsilon("2"));
  EXPECT_TRUE(audit.knew_the_law);
  // 10,000 reports for each of two records choose the events, as many count them: enough to see half of epsilon.
  EXPECT_GT(audit.empirical.epsilon_low, 1);
}

TEST(JointAudit, ProvesAndAttacksJointCodes) {
  const CodebookSpec codebook{{-1, 0, 1, 0, 0, 1, 0, -1}};
  for (const ChannelFamily family :
       {ChannelFamily::kRandomizedResponse, ChannelFamily::kSubsetSelection, ChannelFamily::kHadamardResponse}) {
    SCOPED_TRACE(name_of(family));
    const MechanismAudit audit = audit_of(labelled(spec_of(two_numbers(), codebook, family)), "2");
    EXPECT_EQ(audit.verdict(), Verdict::kStands);
    EXPECT_EQ(audit.exact.front().audit.epsilon, epsilon("2"));
    EXPECT_GT(audit.empirical.epsilon_low, 1);
  }
}

TEST(JointAudit, ProvesAndAttacksJointCodesWithDistances) {
  const MechanismAudit audit =
      audit_of(labelled(spec_of(two_numbers(), three_distant_codes(), ChannelFamily::kExponential)), "2");
  EXPECT_EQ(audit.verdict(), Verdict::kStands);
  EXPECT_EQ(audit.exact.front().audit.epsilon, epsilon("2"));
  EXPECT_EQ(audit.exact.back().audit.points, 9U) << "small enough to be audited as it is";
  EXPECT_GT(audit.exact.back().audit.worst_low, 2 - 1e-5);
  EXPECT_GT(audit.empirical.epsilon_low, 1);
}

// All points of a ball in one dimension with all of three labels, as one point.
Tuples joint_points(std::int64_t resolution) {
  const LabelJoin join = LabelJoin::make(L1Ball{1, resolution}, 3).value_or_throw();
  Tuples points(3);
  for (std::int64_t value = -resolution; value <= resolution; ++value)
    for (std::int64_t label = 0; label < 3; ++label) {
      Integers joined(3);
      join.join({&value, 1}, label, joined);
      points.push_back(joined);
    }
  return points;
}

ExactLaw joint_law(std::int64_t resolution, const Rational& rate) {
  const Range window{-resolution - 40, resolution + 40};
  return product_law(joint_points(resolution), {3, laplace_coordinate(rate, {-resolution, resolution}, window)})
      .value_or_throw();
}

TEST(JointAudit, AProofNeedsTheDiameterOfTheJointBall) {
  const ExactAudit honest = audit_law(joint_law(2, share_of(eps("1"), 4)), eps("1"));
  EXPECT_TRUE(honest.proved);
  EXPECT_TRUE(honest.tight);
  const ExactAudit radius = audit_law(joint_law(2, share_of(eps("1"), 2)), eps("1"));
  EXPECT_TRUE(radius.broken);
  EXPECT_NEAR(radius.worst_low, 2, 1e-12);
}

// Somebody thought that other labels' blocks, which hold zeros, need no noise.
TEST(JointAudit, BlocksOfOtherLabelsLeftWithoutNoiseAreBroken) {
  const CoordinateLaw noisy = laplace_coordinate(share_of(eps("1"), 4), {-2, 2}, {-8, 8});
  const auto reports = enumerate({3, Range{-8, 8}}, [](auto) { return true; }).value_or_throw();
  const auto law_of = [&](bool noise_everywhere) {
    return make_law(joint_points(2), reports, [&noisy, noise_everywhere](Report report, Point point) {
      Enclosure probability(std::uint64_t{1});
      for (std::size_t i = 0; i < 3; ++i)
        probability = probability * (noise_everywhere || point[i] != 0
                                         ? noisy.probability(report[i], point[i])
                                         : Enclosure(report[i] == 0 ? std::uint64_t{1} : std::uint64_t{0}));
      return probability;
    });
  };
  EXPECT_TRUE(audit_law(law_of(true), eps("1")).proved);
  const ExactAudit mutant = audit_law(law_of(false), eps("1"));
  EXPECT_TRUE(mutant.broken);
  EXPECT_EQ(mutant.worst_low, std::numeric_limits<double>::infinity());
}

// The attack on samplers, by someone who knows the honest law. α = 1e-3; 50,000 reports for each record choose the
// event and as many count it, so that a ratio of e^1.2 on an event of probability 0.1 breaks the claim of e; the
// mutants show e^2 and more.
EmpiricalAudit attack(const Sampler& sampler, const Integers& first, const Integers& second) {
  Attack attack;
  attack.report_length = first.size();
  attack.reports = 200'000;
  attack.entropy = [](std::size_t stream) { return std::make_unique<SeededEntropy>(500 + stream); };
  attack.score = [&](Report report) {
    double score = 0;
    for (std::size_t i = 0; i < report.size(); ++i)
      score += static_cast<double>(std::abs(report[i] - second[i]) - std::abs(report[i] - first[i]));
    return score;
  };
  attack.victim = [&](std::size_t which, Entropy& entropy, std::span<std::int64_t> report) {
    sampler(which == 0 ? first : second, entropy, report);
  };
  return audit_empirically(attack, eps("1"), Delta::zero()).value_or_throw();
}

TEST(JointAudit, AnAttackTellsTheMutantsFromTheHonestSampler) {
  constexpr std::int64_t kResolution = 16;
  const Integers first{kResolution, 0, 0}, second{0, -kResolution, 0};
  const Sampler honest = lattice_sampler(share_of(eps("1"), 2 * kResolution));
  EXPECT_FALSE(attack(honest, first, second).broken);
  EXPECT_TRUE(attack(lattice_sampler(share_of(eps("1"), kResolution)), first, second).broken);
  const Sampler own_block_only = [&honest](Point point, Entropy& entropy, std::span<std::int64_t> report) {
    honest(point, entropy, report);
    for (std::size_t i = 0; i < point.size(); ++i)
      if (point[i] == 0) report[i] = 0;
  };
  EXPECT_TRUE(attack(own_block_only, first, second).broken);
}

}  // namespace
}  // namespace sotto
