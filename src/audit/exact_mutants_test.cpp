// Every mutant breaks its claim by exactly as much as theory says, and the exact audit certifies it. Beside each, the
// honest twin, made by the same code, is proved.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/audit/constraint_audit.h"
#include "sotto/audit/exact_audit.h"
#include "sotto/audit/exact_enumeration.h"
#include "sotto/audit/mutants_test.h"
#include "sotto/channel/distant_codes_test.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/constraint/ball_lattice.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/privacy/gaussian_accounting.h"

namespace sotto {
namespace {

void expect_broken(const ExactLaw& mutant, const char* claimed, double expected) {
  const ExactAudit audit = audit_law(mutant, eps(claimed));
  EXPECT_TRUE(audit.broken);
  EXPECT_FALSE(audit.proved);
  EXPECT_TRUE(audit.sums_to_one) << "the mutant is a law, only not a private one";
  if (std::isinf(expected)) {
    EXPECT_EQ(audit.worst_low, expected);
  } else {
    EXPECT_NEAR(audit.worst_low, expected, 1e-12);
    EXPECT_NEAR(audit.worst_high, expected, 1e-12);
  }
}

TEST(ExactMutants, ScaleForTheRadiusInsteadOfTheDiameter) {
  const L1Ball ball{2, 2};
  expect_broken(law_scaled_for_the_radius(ball, eps("1")), "1", 2);
  EXPECT_TRUE(audit_law(lattice_law(ball, share_of(eps("1"), 4)), eps("1")).proved);
}

TEST(ExactMutants, LastCoordinateWithoutNoise) {
  expect_broken(law_without_noise_on_the_last({2, 2}, eps("1")), "1", std::numeric_limits<double>::infinity());
}

TEST(ExactMutants, LabelThatIsAlwaysTrue) {
  const auto truth = [](Report report, Point point) {
    return Enclosure(report[0] == point[0] ? std::uint64_t{1} : std::uint64_t{0});
  };
  const Tuples labels = points_of(Product::categories(3)).value_or_throw();
  expect_broken(make_law(labels, labels, truth), "1", std::numeric_limits<double>::infinity());
}

TEST(ExactMutants, BiasedUniformLie) {
  expect_broken(law_of_lies_modulo(201, eps("1")), "1", 1 + std::log(256.0 / 200));
  expect_broken(law_of_lies_modulo(8, eps("1")), "1", 1 + std::log(256.0 / 7 / 36));
  EXPECT_TRUE(audit_law(law_of_lies_modulo(17, eps("1")), eps("1")).proved) << "16 divides 256: no bias";
}

TEST(ExactMutants, ConstraintThatLetsOneStepTooManyThrough) {
  for (const std::int64_t resolution : {1, 2, 5}) {
    const double g = static_cast<double>(resolution);
    expect_broken(law_with_one_step_too_many({2, resolution}, eps("1")), "1", (g + 1) / g);
  }
}

TEST(ExactMutants, DuchiWithTiesInBothHalfSpaces) {
  const Product square{{{3, true}, {3, true}}};
  expect_broken(duchi_law_with_ties(square, eps("1")), "1", std::log(std::exp(1) + 1));
  const Product cube{{{3, true}, {3, true}, {3, true}}};
  EXPECT_TRUE(audit_law(duchi_law_with_ties(cube, eps("1")), eps("1")).proved) << "an odd dimension has no ties";
  EXPECT_TRUE(audit_law(duchi_law(square, eps("1")).value_or_throw(), eps("1")).proved);
}

// Too many categories in the odds make a small set more private than claimed, and a large one less.
TEST(ExactMutants, SubsetSelectionWithOddsForAllCategories) {
  expect_broken(subset_law_with_odds_for_k(5, 4, eps("1/2")), "1/2", std::log(5.0) - 0.5);
  EXPECT_TRUE(audit_law(subset_selection_law(5, 4, eps("1/2")).value_or_throw(), eps("1/2")).tight);
  const ExactAudit small_set = audit_law(subset_law_with_odds_for_k(5, 1, eps("1")), eps("1"));
  EXPECT_TRUE(small_set.proved);
  EXPECT_FALSE(small_set.tight);
}

// A category that owns all of its block gives its symbols half their due, e^ε/2, and all others 3/2, for they are four
// instead of six.
TEST(ExactMutants, HadamardResponseWithTheFirstRow) {
  expect_broken(hadamard_law_with_first_row(6, 4, eps("0.1")), "0.1", std::log(3.0) - 0.1);
  EXPECT_TRUE(audit_law(hadamard_response_law(6, 4, eps("0.1")).value_or_throw(), eps("0.1")).tight);
}

// The opposite answer becomes impossible for a point that another may well give.
TEST(ExactMutants, HyperplaneResponseThatLongPointsAnswerHonestly) {
  const ExactAudit audit = audit_law(hyperplane_law_of_honest_points({2, 3}, 8, eps("1")), eps("1"));
  EXPECT_TRUE(audit.broken);
  EXPECT_TRUE(audit.sums_to_one) << "the mutant is a law, only not a private one";
  EXPECT_TRUE(audit_law(hyperplane_response_law({2, 3}, 8, eps("1")).value_or_throw(), eps("1")).tight);
}

void expect_broken_by_at_least(const ExactLaw& mutant, const char* claimed, double least) {
  const ExactAudit audit = audit_law(mutant, eps(claimed));
  EXPECT_TRUE(audit.broken);
  EXPECT_TRUE(audit.sums_to_one) << "the mutant is a law, only not a private one";
  EXPECT_GT(audit.worst_low, least);
}

// Where all codes have the same total, the largest distance is all that counts.
TEST(ExactMutants, ExponentialWithTheWeightOfTheLargestDistanceAlone) {
  const Product cycle =
      codes_with(6, [](auto from, auto to) { return std::min(std::abs(from - to), 6 - std::abs(from - to)); });
  EXPECT_TRUE(audit_law(exponential_law_without_totals(cycle, eps("2")), eps("2")).proved);
  expect_broken_by_at_least(exponential_law_without_totals(codes_in_groups(9, 8, 3), eps("2")), "2", 2.8);
}

TEST(ExactMutants, ExponentialWithLabelsAddedToTheDistances) {
  expect_broken_by_at_least(exponential_law_with_labels_added(codes_in_groups(4, 2, 3), 2, eps("1")), "1", 1.9);
}

TEST(ExactMutants, ExponentialThatGivesUpAndTellsTheTruth) {
  const Product codes = codes_on_a_line(9);
  expect_broken_by_at_least(exponential_law_that_gives_up(codes, 2, eps("1")), "1", 1.6);
  EXPECT_TRUE(audit_law(exponential_law_that_gives_up(codes, 1000, eps("1")), eps("1.000001")).proved);
}

TEST(ExactMutants, GaussianNoiseForTheRadiusInsteadOfTheDiameter) {
  const L2Ball ball{2, 1};
  const Delta delta = Delta::parse("1e-3").value_or_throw();
  const auto law = [&](std::uint64_t squared_sensitivity) {
    const std::uint64_t variance = discrete_gaussian_variance(squared_sensitivity, eps("2"), delta).value_or_throw();
    const CoordinateLaw coordinate = gaussian_coordinate(variance, {-1, 1}, {-40, 40});
    return product_law(points_of(ball).value_or_throw(), {coordinate, coordinate}).value_or_throw();
  };
  EXPECT_TRUE(audit_law(law(4), eps("2"), delta).proved);
  const ExactAudit mutant = audit_law(law(1), eps("2"), delta);
  EXPECT_TRUE(mutant.broken);
  EXPECT_GT(mutant.worst_low, 5e-3);
}

TEST(ExactMutants, ConstraintsThatLeaveTheirDomain) {
  const L1Ball ball{3, 5};
  SeededEntropy entropy(1);
  const auto honest = make_l1_lattice(ball, 1.0).value_or_throw();
  EXPECT_EQ(audit_constraint(*honest, 30'000, entropy).escapes, 0U);
  EXPECT_GT(audit_constraint(FloatingPointL1Lattice(ball), 30'000, entropy).escapes, 100U);
  EXPECT_GT(audit_constraint(NanBlindL1Lattice(ball), 30'000, entropy).escapes, 1'000U);
}

// Even so nothing leaves: the channel looks again.
TEST(ExactMutants, PointOutsideTheDomainIsNotReported) {
  const L1Ball ball{3, 5};
  const auto channel = make_lattice_laplace(ball, eps("1")).value_or_throw();
  SeededEntropy entropy(1);
  std::vector<std::int64_t> report(3);
  const std::vector<float> with_nan{0.5F, std::numeric_limits<float>::quiet_NaN(), 0};
  std::vector<std::int64_t> point(3);
  ASSERT_TRUE(NanBlindL1Lattice(ball).constrain(with_nan, point));
  EXPECT_THROW(channel->sample(point, entropy, report), Failure);
  EXPECT_THROW(channel->sample(std::vector<std::int64_t>{3, 3, 0}, entropy, report), Failure);
  EXPECT_EQ(report, std::vector<std::int64_t>(3)) << "nothing was written";
}

}  // namespace
}  // namespace sotto
