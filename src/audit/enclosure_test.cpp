#include "sotto/audit/enclosure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto {
namespace {

bool contains(const Enclosure& x, const char* decimal) {
  mpfr_t value;
  mpfr_init2(value, 400);
  mpfr_set_str(value, decimal, 10, MPFR_RNDN);
  const bool inside = mpfr_lessequal_p(x.low(), value) != 0 && mpfr_lessequal_p(value, x.high()) != 0;
  mpfr_clear(value);
  return inside;
}

bool is_narrow(const Enclosure& x) { return mpfr_zero_p((x / x).low()) == 0 && (x / x).is_one(); }

constexpr const char* kE =
    "2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217";
constexpr const char* kOneOverE =
    "0.36787944117144232159552377016146086744581113103176783450783680169746149574489980335714727";

TEST(Enclosure, ContainsTheTrueValueOfEveryOperation) {
  const Enclosure one(1);
  const Enclosure third = one / Enclosure(3);
  EXPECT_TRUE(mpfr_less_p(third.low(), third.high()));
  EXPECT_TRUE((third + third + third).is_one());
  EXPECT_TRUE((third * Enclosure(3)).is_one());
  EXPECT_TRUE((Enclosure(2) - one).is_one());
  EXPECT_TRUE(contains(Enclosure::exp(one), kE));
  EXPECT_TRUE(contains(Enclosure::exp_minus(one), kOneOverE));
  EXPECT_TRUE(Enclosure::log(Enclosure::exp(one)).is_one());
  EXPECT_TRUE(contains(Enclosure(Rational::make(7, 5).value_or_throw()), "1.4"));
  for (const Enclosure& x : {third, Enclosure::exp(one), Enclosure::exp_minus(Enclosure(1000))})
    EXPECT_TRUE(is_narrow(x));
}

TEST(Enclosure, IsNotOneWhenOneIsOutsideOrTheBoundsAreFarApart) {
  Enclosure almost(1);
  almost += Enclosure(1) / Enclosure(std::uint64_t{1} << 62);
  EXPECT_FALSE(almost.is_one());
  EXPECT_FALSE(Enclosure::between(Enclosure(), Enclosure(2)).is_one());
}

TEST(Enclosure, DifferenceDoesNotGoBelowZero) {
  const Enclosure third = Enclosure(1) / Enclosure(3);
  const Enclosure difference = third - third;
  EXPECT_EQ(difference.low_as_double(), 0);
  EXPECT_GT(difference.high_as_double(), 0) << "two thirds that are not known to be the same";
}

TEST(Enclosure, RoundsDoublesOutwards) {
  const Enclosure third = Enclosure(1) / Enclosure(3);
  EXPECT_LT(third.low_as_double(), third.high_as_double());
  EXPECT_EQ(std::nextafter(third.low_as_double(), 1), third.high_as_double());
}

TEST(Enclosure, KnowsLogarithmsOfNumbersBelowTheSmallestDouble) {
  EXPECT_NEAR(Enclosure::exp_minus(Enclosure(5000)).approximate_log(), -5000, 1e-9);
  EXPECT_EQ(Enclosure().approximate_log(), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace sotto
