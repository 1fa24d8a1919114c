#include "sotto/audit/mechanism_audit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

MechanismAuditOptions quick() {
  MechanismAuditOptions options;
  options.reports = 8000;
  options.hostile_inputs = 1000;
  options.entropy = [](std::size_t stream) { return std::make_unique<SeededEntropy>(stream); };
  return options;
}

MechanismAudit audit_of(const MechanismSpec& spec, const ReleaseParameters& parameters,
                        const MechanismAuditOptions& options = quick()) {
  return audit_mechanism(mechanism_of(spec), parameters, InexactChannels::kAllowForExperiments, options)
      .value_or_throw();
}

MechanismSpec labelled_spec() {
  MechanismSpec spec = l1_spec(64);
  spec.label = three_classes();
  return spec;
}

TEST(MechanismAudit, EnumeratesAndAttacksEveryFamily) {
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    SCOPED_TRACE(name_of(spec.channel));
    const MechanismAudit audit = audit_of(spec, parameters_for(spec.channel, "2"));
    EXPECT_TRUE(audit.passed());
    EXPECT_EQ(audit.constraint.inputs, 1000U);
    EXPECT_GE(audit.empirical.reports, 8000U);
    EXPECT_TRUE(audit.knew_the_law);
    const bool inexact = spec.channel == ChannelFamily::kPiecewise || spec.channel == ChannelFamily::kHybrid ||
                         spec.channel == ChannelFamily::kPrivUnit;
    EXPECT_EQ(audit.exact_part, inexact ? ExactPart::kInexact : ExactPart::kEnumerated);
    EXPECT_EQ(audit.exact.empty(), inexact);
    for (const NamedExactAudit& exact : audit.exact) EXPECT_TRUE(contains(exact.channel, name_of(spec.channel)));
  }
}

TEST(MechanismAudit, AuditsTheShareOfEpsilonThatFeaturesAndLabelReallyGet) {
  const MechanismAudit audit = audit_of(labelled_spec(), {epsilon("2"), Delta::zero(), lambda("0.75")});
  ASSERT_GE(audit.exact.size(), 2U);
  EXPECT_EQ(audit.exact.front().audit.epsilon, epsilon("1.5"));
  EXPECT_TRUE(audit.exact.front().audit.tight);
  EXPECT_EQ(audit.exact.back().channel, "label, 3 classes");
  EXPECT_EQ(audit.exact.back().audit.epsilon, epsilon("0.5"));
  EXPECT_EQ(audit.empirical.epsilon, epsilon("2"));
}

TEST(MechanismAudit, IsInconclusiveWhenAllOfTheExactPartIsTooLarge) {
  const MechanismAudit audit = audit_of(labelled_spec(), {epsilon("0.001"), Delta::zero(), lambda("0.01")});
  EXPECT_EQ(audit.exact_part, ExactPart::kTooLarge);
  EXPECT_EQ(audit.exact.size(), 1U);  // the label's, which proves nothing of the features
  EXPECT_EQ(audit.skipped.size(), 8U);
  EXPECT_EQ(audit.skipped.front(), "lattice_laplace, dimension 1, resolution 1");
  EXPECT_EQ(audit.verdict(), Verdict::kInconclusive);
  EXPECT_FALSE(audit.passed());
}

TEST(MechanismAudit, NamesWhatItSkippedWhenOnlyTheLargerDomainsAreTooLarge) {
  const MechanismAudit audit = audit_of(labelled_spec(), {epsilon("0.001"), Delta::zero(), lambda("0.1")});
  EXPECT_EQ(audit.exact_part, ExactPart::kEnumerated);
  EXPECT_FALSE(audit.skipped.empty());
  EXPECT_TRUE(audit.passed());
}

TEST(MechanismAudit, BreaksWithAnyOfItsPartsEvenIfTheExactPartWasSkipped) {
  const MechanismAudit honest = audit_of(labelled_spec(), {epsilon("2"), Delta::zero(), lambda("0.5")});
  ASSERT_EQ(honest.verdict(), Verdict::kStands);
  for (const ExactPart part : {ExactPart::kEnumerated, ExactPart::kTooLarge, ExactPart::kInexact}) {
    MechanismAudit exact = honest, constraint = honest, empirical = honest;
    exact.exact.back().audit.proved = false;
    constraint.constraint.escapes = 1;
    empirical.empirical.broken = true;
    for (MechanismAudit* audit : {&exact, &constraint, &empirical}) {
      audit->exact_part = part;
      EXPECT_EQ(audit->verdict(), Verdict::kBroken);
    }
  }
}

// The same page of bytes again and again: as much noise as ever, but only so many kinds of it.
class RepeatingEntropy : public SeededEntropy {
 public:
  RepeatingEntropy() : SeededEntropy(5) {}

 protected:
  void fill(std::span<std::uint8_t> bytes) override {
    SeededEntropy page(5);
    for (std::uint8_t& byte : bytes) byte = page.take<std::uint8_t>();
  }
};

// Through the shipped path: the mechanism is honest, the randomness under it is not.
TEST(MechanismAudit, BreaksAMechanismWhoseEntropyRepeats) {
  MechanismAuditOptions options = quick();
  EXPECT_EQ(audit_of(l1_spec(64), {epsilon("1"), Delta::zero(), {}}, options).verdict(), Verdict::kStands);
  options.entropy = [](std::size_t) { return std::make_unique<RepeatingEntropy>(); };
  const MechanismAudit audit = audit_of(l1_spec(64), {epsilon("1"), Delta::zero(), {}}, options);
  EXPECT_TRUE(audit.empirical.broken);
  EXPECT_GT(audit.empirical.epsilon_low, 1);
  EXPECT_EQ(audit.verdict(), Verdict::kBroken);
}

TEST(MechanismAudit, ScoresWithoutTheLawWhereItCostsTooMuch) {
  for (const std::int32_t width : {64, 65}) {
    const MechanismSpec spec = spec_of(image(1, 1, width), FeatureBoxSpec{4}, ChannelFamily::kDuchi);
    const MechanismAudit audit = audit_of(spec, {epsilon("1"), Delta::zero(), {}});
    EXPECT_EQ(audit.knew_the_law, width == 64);
    EXPECT_TRUE(audit.passed());
  }
}

TEST(MechanismAudit, RefusesAReleaseThatCannotBe) {
  const auto audit = [](const MechanismSpec& spec, const ReleaseParameters& parameters) {
    return audit_mechanism(mechanism_of(spec), parameters, InexactChannels::kRefuse, quick());
  };
  const MechanismSpec piecewise = spec_of(two_numbers(), FeatureBoxSpec{64}, ChannelFamily::kPiecewise);
  refusal(audit(piecewise, {epsilon("1"), Delta::zero(), {}}), ErrorCode::kUnsupported);
  refusal(audit(l1_spec(64), {epsilon("1"), Delta::zero(), lambda("0.5")}), ErrorCode::kInvalidArgument);
  refusal(audit(l1_spec(64), {epsilon("1"), delta("1e-5"), {}}), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sotto
