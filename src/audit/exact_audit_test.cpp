#include "sotto/audit/exact_audit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/audit/exact_enumeration.h"
#include "sotto/audit/mutants_test.h"
#include "sotto/channel/distant_codes_test.h"
#include "sotto/channel/exponential.h"
#include "sotto/channel/hadamard_response.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/channel/subset_selection.h"

namespace sotto {
namespace {

using Integers = std::vector<std::int64_t>;

const std::vector<const char*> kEpsilons{"0.1", "1", "7/5", "8"};

Delta delta(const char* text) { return Delta::parse(text).value_or_throw(); }

void expect_proved_and_tight(const Result<ExactAudit>& audit) {
  ASSERT_TRUE(audit) << audit.error().message;
  EXPECT_TRUE(audit->proved);
  EXPECT_TRUE(audit->tight);
  EXPECT_FALSE(audit->broken);
  EXPECT_TRUE(audit->sums_to_one);
  EXPECT_LT(audit->likelihood_error, 1e-12);
  EXPECT_TRUE(audit->passed());
  EXPECT_LE(audit->worst_low, audit->epsilon.to_double());
  EXPECT_GE(audit->worst_high, audit->epsilon.to_double());
}

TEST(ExactAudit, ProvesTheLatticeLaplaceChannelAndFindsItTight) {
  for (const char* epsilon : kEpsilons)
    for (const auto& [dimension, resolution] : {std::pair{1, 1}, {1, 2}, {1, 5}, {2, 1}, {2, 3}, {3, 1}, {3, 2}})
      expect_proved_and_tight(audit_lattice_laplace({static_cast<std::size_t>(dimension), resolution}, eps(epsilon)));
}

TEST(ExactAudit, ProvesRandomizedResponseAndFindsItTight) {
  for (const char* epsilon : kEpsilons)
    for (const std::int64_t categories : {2, 3, 10, 101})
      expect_proved_and_tight(audit_randomized_response(categories, eps(epsilon)));
}

TEST(ExactAudit, ProvesSubsetSelectionOfEverySizeAndFindsItTight) {
  for (const char* epsilon : kEpsilons)
    for (const std::int64_t categories : {2, 5, 8})
      for (std::int64_t size = 1; size < std::min<std::int64_t>(categories, 6); ++size)
        expect_proved_and_tight(audit_subset_selection(categories, size, eps(epsilon)));
}

TEST(ExactAudit, ProvesHadamardResponseOfEveryBlockAndFindsItTight) {
  for (const char* epsilon : kEpsilons)
    for (const std::int64_t categories : {2, 5, 8, 20})
      for (const std::int64_t block : {2, 4, 8, 16})
        expect_proved_and_tight(audit_hadamard_response(categories, block, eps(epsilon)));
}

TEST(ExactAudit, ProvesHyperplaneResponseAndFindsItTight) {
  for (const char* epsilon : kEpsilons)
    for (const L2Ball& ball : {L2Ball{1, 1}, L2Ball{1, 5}, L2Ball{2, 3}, L2Ball{3, 2}})
      expect_proved_and_tight(audit_hyperplane_response(ball, 16, eps(epsilon)));
}

// Not tight to 2^−100, for its weights are multiples of 2^−24; but the next smaller one would be too small.
TEST(ExactAudit, ProvesTheExponentialChannelAndThatNoSmallerWeightWouldDo) {
  for (const char* epsilon : kEpsilons)
    for (const Product& codes : {codes_in_groups(2, 1, 1), codes_on_a_line(5), codes_on_a_line(17),
                                 codes_in_groups(12, 4, 3), codes_at_odd_distances(10, 7)}) {
      SCOPED_TRACE(testing::Message() << codes.coordinates[0].levels << " codes, epsilon = " << epsilon);
      const auto audit = audit_exponential(codes, eps(epsilon));
      ASSERT_TRUE(audit) << audit.error().message;
      EXPECT_TRUE(audit->passed());
      EXPECT_FALSE(audit->broken);
      EXPECT_LT(audit->likelihood_error, 1e-12);
      const std::uint64_t weight = exponential_weight(codes, eps(epsilon)).value_or_throw();
      EXPECT_TRUE(audit_law(exponential_law(codes, weight - 1).value_or_throw(), eps(epsilon)).broken);
    }
}

TEST(ExactAudit, ProvesDuchiInOddAndEvenDimensionsAndFindsItTight) {
  for (const char* epsilon : kEpsilons)
    for (std::size_t dimension = 1; dimension <= 4; ++dimension)
      expect_proved_and_tight(audit_duchi({std::vector<Coordinate>(dimension, {3, true})}, eps(epsilon)));
}

TEST(ExactAudit, ProvesFeatureLaplaceOnMixedFeaturesAndFindsItTight) {
  for (const char* epsilon : kEpsilons) {
    expect_proved_and_tight(audit_feature_laplace({{{5, true}}}, eps(epsilon)));
    expect_proved_and_tight(audit_feature_laplace({{{2, true}, {3, false}}}, eps(epsilon)));
    expect_proved_and_tight(audit_feature_laplace({{{4, true}, {3, false}, {3, true}}}, eps(epsilon)));
  }
}

// The Gaussian variance comes from a bound that is not tight: at least a factor two of δ is left at common parameters.
TEST(ExactAudit, ProvesTheLatticeGaussianChannel) {
  for (const char* epsilon : {"0.5", "1", "8"})
    for (const auto& [dimension, resolution] : {std::pair{1, 1}, {1, 3}, {2, 1}}) {
      const auto audit =
          audit_lattice_gaussian({static_cast<std::size_t>(dimension), resolution}, eps(epsilon), delta("1e-3"));
      ASSERT_TRUE(audit) << audit.error().message;
      EXPECT_TRUE(audit->passed());
      EXPECT_GT(audit->worst_low, 0);
      EXPECT_LT(audit->worst_high, 0.5e-3);
      EXPECT_LT(audit->likelihood_error, 1e-12);
    }
}

TEST(ExactAudit, NamesTheTwoPointsAndTheReport) {
  const auto audit = audit_lattice_laplace({1, 2}, eps("1"));
  ASSERT_TRUE(audit);
  EXPECT_EQ(std::abs(audit->point[0] - audit->other_point[0]), 4);
  EXPECT_GE(std::abs(audit->report[0]), 2);
  EXPECT_EQ(audit->points, 5U);
  EXPECT_TRUE(audit->all_reports);
}

TEST(ExactAudit, RefusesWhatIsTooLargeToEnumerateBeforeItAllocates) {
  const std::vector<Result<ExactAudit>> audits{audit_lattice_laplace({8, 65536}, eps("1")),
                                               audit_lattice_laplace({1, 65536}, eps("1")),
                                               audit_lattice_gaussian({1, 65536}, eps("1"), delta("1e-5")),
                                               audit_duchi({std::vector<Coordinate>(100000, {3, true})}, eps("1")),
                                               audit_feature_laplace({{{100000, true}}}, eps("1")),
                                               audit_randomized_response(100000, eps("1")),
                                               audit_subset_selection(1000, 300, eps("1"))};
  for (const auto& audit : audits) {
    ASSERT_FALSE(audit);
    EXPECT_EQ(audit.error().code, ErrorCode::kUnsupported) << audit.error().message;
  }
}

TEST(ExactAudit, PassesOnTheErrorOfAChannelThatCannotBe) {
  EXPECT_FALSE(audit_lattice_laplace({0, 1}, eps("1")));
  EXPECT_FALSE(audit_randomized_response(1, eps("1")));
  EXPECT_FALSE(audit_subset_selection(5, 5, eps("1")));
  EXPECT_FALSE(audit_duchi({{{3, false}}}, eps("1")));
  EXPECT_FALSE(audit_exponential(Product::categories(3), eps("1")));
}

// The short list of reports must not hide anything that the long one shows.
TEST(ExactEnumeration, FindsTheSameWorstRatioInTheReportsThatShowEveryRatio) {
  const Range points{-2, 2};
  const Rational rate = share_of(eps("1"), 4);
  const CoordinateLaw law = laplace_coordinate(rate, points, {-30, 30});
  const L1Ball ball{2, 2};
  const ExactLaw all = product_law(points_of(ball).value_or_throw(), {law, law}).value_or_throw();
  ASSERT_EQ(all.listing, Listing::kAll);
  ExactLaw few = all;
  few.listing = Listing::kEveryRatio;
  few.reports = enumerate({law.reports(), law.reports()}, [&](Report report) {
                  return std::all_of(report.begin(), report.end(), [&](std::int64_t r) {
                    return std::binary_search(law.listed().begin(), law.listed().end(), r);
                  });
                }).value_or_throw();
  ASSERT_LT(few.reports.size(), all.reports.size() / 10);
  const ExactAudit long_audit = audit_law(all, eps("1"));
  const ExactAudit short_audit = audit_law(few, eps("1"));
  EXPECT_TRUE(long_audit.tight && short_audit.tight);
  EXPECT_EQ(long_audit.worst_high, short_audit.worst_high);
  EXPECT_EQ(long_audit.worst_low, short_audit.worst_low);
}

// What is not listed counts as lost, so a shorter list may only raise the upper bound and lower the lower one.
TEST(ExactEnumeration, BoundsTheDeltaOfUnlistedReportsFromAbove) {
  const CoordinateLaw coordinate = gaussian_coordinate(9, {-1, 1}, {-37, 37});
  const ExactLaw all = product_law(points_of(L2Ball{1, 1}).value_or_throw(), {coordinate}).value_or_throw();
  ExactLaw few = all;
  few.listing = Listing::kMostLikely;
  few.reports = enumerate({{-7, 7}}, [](Report) { return true; }).value_or_throw();
  const ExactAudit exact = audit_law(all, eps("0.5"), delta("0.1"));
  const ExactAudit bounded = audit_law(few, eps("0.5"), delta("0.1"));
  EXPECT_LT(bounded.worst_low, exact.worst_low);
  EXPECT_GT(bounded.worst_high, exact.worst_high);
  EXPECT_NEAR(exact.worst_high, exact.worst_low, 1e-15);
  EXPECT_FALSE(audit_law(few, eps("8")).proved) << "unlisted reports may have any ratio";
}

TEST(ExactEnumeration, SeesALikelihoodThatIsNotTheLaw) {
  const auto channel = make_randomized_response(5, eps("1")).value_or_throw();
  const auto law = [](const char* epsilon) {
    return product_law(points_of(Product::categories(5)).value_or_throw(), {response_coordinate(5, eps(epsilon))})
        .value_or_throw();
  };
  EXPECT_LT(likelihood_error(law("1"), *channel), 1e-12);
  EXPECT_GT(likelihood_error(law("1.001"), *channel), 1e-4);
  const auto lattice = make_lattice_laplace({1, 2}, eps("1")).value_or_throw();
  EXPECT_EQ(likelihood_error(lattice_law({1, 3}, share_of(eps("1"), 4)), *lattice),
            std::numeric_limits<double>::infinity());
}

TEST(ExactEnumeration, SeesALawThatDoesNotSumToOne) {
  const auto half = [](Report, Point) { return Enclosure(1) / Enclosure(2); };
  const Tuples points = points_of(Product::categories(2)).value_or_throw();
  EXPECT_TRUE(audit_law(make_law(points, points, half), eps("1")).sums_to_one);
  const Tuples three = points_of(Product::categories(3)).value_or_throw();
  EXPECT_FALSE(audit_law(make_law(points, three, half), eps("1")).sums_to_one);
  const auto unknown = [](Report, Point) { return Enclosure::between(Enclosure(), Enclosure(1)); };
  EXPECT_FALSE(audit_law(make_law(points, points, unknown), eps("1")).sums_to_one) << "too wide to say";
}

// Neither proved nor broken: the claim lies inside the enclosure.
TEST(ExactEnumeration, DoesNotDecideWhatItDoesNotKnow) {
  const auto vague = [](Report report, Point point) {
    Enclosure third = Enclosure(1) / Enclosure(3);
    return report[0] == point[0] ? third : Enclosure::between(third / Enclosure(4), third);
  };
  const Tuples points = points_of(Product::categories(2)).value_or_throw();
  const ExactAudit audit = audit_law(make_law(points, points, vague), eps("1"));
  EXPECT_FALSE(audit.proved);
  EXPECT_FALSE(audit.broken);
}

}  // namespace
}  // namespace sotto
