#include "sotto/audit/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/audit/mutants_test.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

using Hits = std::vector<std::uint64_t>;
using Probabilities = std::vector<double>;

// For two degrees of freedom the p-value is exp(−χ²/2).
TEST(GoodnessOfFit, AgreesWithAChiSquareByHand) {
  const Fit fit = goodness_of_fit(Hits{430, 270, 300}, Probabilities{0.4, 0.3, 0.3});
  EXPECT_NEAR(fit.chi_square, 900.0 / 400 + 900.0 / 300, 1e-9);
  EXPECT_EQ(fit.degrees_of_freedom, 2U);
  EXPECT_NEAR(fit.p_value, std::exp(-5.25 / 2), 1e-12);
  EXPECT_EQ(fit.samples, 1000U);
}

TEST(GoodnessOfFit, PoolsCellsThatExpectTooLittle) {
  const Fit fit = goodness_of_fit(Hits{900, 60, 61}, Probabilities{0.88, 0.06, 0.06});
  EXPECT_EQ(fit.degrees_of_freedom, 1U);
  const Fit joined = goodness_of_fit(Hits{500, 499, 1}, Probabilities{0.5, 0.499, 0.001});
  EXPECT_EQ(joined.degrees_of_freedom, 1U);
  EXPECT_NEAR(joined.p_value, 1, 1e-9);
}

TEST(GoodnessOfFit, RejectsAReportThatCannotBe) {
  EXPECT_EQ(goodness_of_fit(Hits{500, 499, 1}, Probabilities{0.5, 0.5, 0}).p_value, 0);
  const Tuples labels = points_of(Product::categories(3)).value_or_throw();
  const ExactLaw law = product_law(labels, {response_coordinate(3, eps("1"))}).value_or_throw();
  SeededEntropy entropy(1);
  const auto outside = [](Point, Entropy&, std::span<std::int64_t> report) { report[0] = 3; };
  EXPECT_EQ(goodness_of_fit(law, 0, outside, 10, entropy).p_value, 0);
}

}  // namespace
}  // namespace sotto
