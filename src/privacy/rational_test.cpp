#include "sotto/privacy/rational.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "sotto/kernel/natural.h"

namespace sotto {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 44;

Rational fraction(std::uint64_t numerator, std::uint64_t denominator) {
  return Rational::make(numerator, denominator).value_or_throw();
}

rc::Gen<Rational> any_rational() {
  // A random bit length first: uniform 44-bit integers alone would never be small.
  const auto below = [](std::uint64_t least) {
    return rc::gen::mapcat(rc::gen::inRange<int>(1, 45), [least](int bits) {
      return rc::gen::inRange<std::uint64_t>(least, std::uint64_t{1} << bits);
    });
  };
  return rc::gen::apply([](std::uint64_t n, std::uint64_t d) { return fraction(n, d); }, below(0), below(1));
}

TEST(Rational, ReadsWhatPeopleWrite) {
  struct Case {
    const char* text;
    std::uint64_t numerator, denominator;
  };
  for (const Case& c : std::vector<Case>{{"1.4", 7, 5},
                                         {"7/5", 7, 5},
                                         {"14/10", 7, 5},
                                         {"1e-5", 1, 100000},
                                         {"1E-5", 1, 100000},
                                         {"2.5e-3", 1, 400},
                                         {"1e+3", 1000, 1},
                                         {"1e3", 1000, 1},
                                         {"1.5e1", 15, 1},
                                         {".5", 1, 2},
                                         {"5.", 5, 1},
                                         {"0", 0, 1},
                                         {"0.000", 0, 1},
                                         {"0/7", 0, 1},
                                         {"007", 7, 1},
                                         {"100.0001", 1000001, 10000},
                                         {"0.0009999", 9999, 10000000},
                                         {"17592186044415", kLimit - 1, 1},
                                         {"1/17592186044415", 1, kLimit - 1},
                                         {"0.00000000000000000000000000000", 0, 1}}) {
    const auto value = Rational::parse(c.text);
    ASSERT_TRUE(value) << c.text << ": " << value.error().message;
    EXPECT_EQ(value->numerator(), c.numerator) << c.text;
    EXPECT_EQ(value->denominator(), c.denominator) << c.text;
  }
}

TEST(Rational, RefusesEverythingElseAndShowsIt) {
  for (const char* text : {"",
                           ".",
                           "+1",
                           "-1",
                           "nan",
                           "NaN",
                           "inf",
                           "1e400",
                           "1e-400",
                           "1e16",
                           "1e",
                           "e5",
                           "1e5e5",
                           "1e+-5",
                           "1e--5",
                           "1e 5",
                           "1e5.",
                           "1,4",
                           "1.4.2",
                           "1..4",
                           "7/",
                           "/5",
                           "7/5/3",
                           "7/0",
                           "0.7/5",
                           "7/.5",
                           "7/1e1",
                           "7/-5",
                           " 1",
                           "1 ",
                           "1 4",
                           "0x10",
                           "1f",
                           "1.4\n",
                           "\t1",
                           "--1",
                           "1/3e1",
                           "१",
                           "1４",
                           "½",
                           "1.4e0x",
                           "∞",
                           "1_000",
                           "1'000",
                           "17592186044416",
                           "1/17592186044416",
                           "0.12345678901234567",
                           "1e-14"}) {
    const auto value = Rational::parse(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_NE(Rational::parse("1e400").error().message.find("got \"1e400\""), std::string::npos);
}

TEST(Rational, RefusesTextThatIsTooLongOrHoldsControlCharacters) {
  EXPECT_TRUE(Rational::parse(std::string(47, '0') + "1"));
  EXPECT_FALSE(Rational::parse(std::string(48, '0') + "1"));
  const auto megabyte = Rational::parse(std::string(1 << 20, '9'));
  ASSERT_FALSE(megabyte);
  EXPECT_LT(megabyte.error().message.size(), 200U);
  const auto zero_byte = Rational::parse(std::string_view("1\0", 2));
  ASSERT_FALSE(zero_byte);
  EXPECT_NE(zero_byte.error().message.find("\"1?\""), std::string::npos) << zero_byte.error().message;
  EXPECT_FALSE(Rational::parse(std::string_view("\0001", 2)));
}

TEST(Rational, WritesShortDecimalsAsDecimalsAndTheRestAsFractions) {
  EXPECT_EQ(fraction(7, 5).to_string(), "1.4");
  EXPECT_EQ(fraction(1, 100000).to_string(), "0.00001");
  EXPECT_EQ(fraction(0, 3).to_string(), "0");
  EXPECT_EQ(fraction(12, 1).to_string(), "12");
  EXPECT_EQ(fraction(1, 3).to_string(), "1/3");
  // 4294967296.0...: twelve places of it would need more than 64 bits.
  EXPECT_EQ(fraction(kLimit - 1, 4096).to_string(), "17592186044415/4096");
}

RC_GTEST_PROP(Rational, ReadsBackWhatItWrites, ()) {
  const Rational value = *any_rational();
  const auto back = Rational::parse(value.to_string());
  RC_ASSERT(back);
  RC_ASSERT(*back == value);
}

RC_GTEST_PROP(Rational, ReadsBackDecimals, ()) {
  const auto digits = *rc::gen::inRange<std::uint64_t>(0, 1000000000000);
  const Rational value = fraction(digits, 1000000000000);
  RC_ASSERT(*Rational::parse(value.to_string()) == value);
  RC_ASSERT(*Rational::parse(std::to_string(digits) + "e-12") == value);
}

RC_GTEST_PROP(Rational, IsAlwaysReduced, ()) {
  const Rational value = *any_rational();
  const auto factor = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const auto same = Rational::make(Uint128{value.numerator()} * factor, Uint128{value.denominator()} * factor);
  RC_ASSERT(same);
  RC_ASSERT(*same == value);
}

TEST(Rational, AddsExactly) {
  EXPECT_EQ(*add(fraction(1, 10), fraction(2, 10)), fraction(3, 10));
  EXPECT_EQ(*add(fraction(1, 3), fraction(2, 3)), fraction(1, 1));
  EXPECT_EQ(*subtract(fraction(3, 10), fraction(1, 10)), fraction(1, 5));
  EXPECT_EQ(*subtract(fraction(3, 10), fraction(3, 10)), Rational());
  EXPECT_EQ(*multiply(fraction(2, 3), fraction(3, 4)), fraction(1, 2));
}

TEST(Rational, OrdersExactlyWhereDoublesCannot) {
  const Rational a = fraction(kLimit - 2, kLimit - 1);
  const Rational b = fraction(kLimit - 3, kLimit - 2);
  EXPECT_GT(a, b);
  EXPECT_LT(b, a);
  EXPECT_GT(fraction(1, kLimit - 2), fraction(1, kLimit - 1));
  EXPECT_EQ(fraction(2, 4), fraction(1, 2));
  EXPECT_LT(Rational(), fraction(1, kLimit - 1));
}

TEST(Rational, RefusesResultsThatItCannotHold) {
  const Rational p = fraction(1, 17592186044399);  // a prime below 2^44
  EXPECT_FALSE(add(p, fraction(1, 2)));
  EXPECT_FALSE(multiply(p, fraction(1, 2)));
  EXPECT_FALSE(add(fraction(kLimit - 1, 1), fraction(1, 1)));
  EXPECT_FALSE(add(fraction(kLimit - 1, 1), fraction(1, 1), Rounding::kUp));
  EXPECT_FALSE(subtract(fraction(1, 3), fraction(1, 2)));
  EXPECT_FALSE(subtract(fraction(1, 3), fraction(1, 2), Rounding::kDown));
  EXPECT_FALSE(Rational::make(1, 0));
  EXPECT_FALSE(Rational::make(1, 0, Rounding::kUp));
}

TEST(Rational, RoundsUpAndDownOnlyWhenItMust) {
  EXPECT_EQ(*add(fraction(1, 10), fraction(2, 10), Rounding::kUp), fraction(3, 10));
  EXPECT_EQ(*subtract(fraction(1, 2), fraction(1, 3), Rounding::kDown), fraction(1, 6));
  const Rational p = fraction(1, 17592186044399);
  EXPECT_EQ(add(p, fraction(1, 2), Rounding::kUp)->to_string(), "0.500000000001");
  EXPECT_EQ(subtract(fraction(1, 2), p, Rounding::kDown)->to_string(), "0.499999999999");
  EXPECT_EQ(add(p, fraction(100, 1), Rounding::kUp)->to_string(), "100.00000000001");  // 44 bits hold 11 places here
}

Natural product(std::initializer_list<std::uint64_t> factors) {
  Natural result(1);
  for (const std::uint64_t factor : factors) result *= factor;
  return result;
}

// exact ≤ rounded ≤ exact + step, for the step of the finest grid that holds the number, in integers of any size.
RC_GTEST_PROP(Rational, RoundsASumUpByLessThanOneStep, ()) {
  const Rational a = *any_rational();
  const Rational b = *any_rational();
  const auto rounded = add(a, b, Rounding::kUp);
  if (!rounded) {
    RC_ASSERT(a.to_double() + b.to_double() > 0.999 * static_cast<double>(kLimit));
    return;
  }
  const std::uint64_t p = rounded->numerator();
  const std::uint64_t q = rounded->denominator();
  const double finest = static_cast<double>(kLimit) / 10 / std::max(rounded->to_double(), 1e-9);
  const auto grid = static_cast<std::uint64_t>(std::clamp(finest, 1.0, 1e12));
  Natural exact = product({a.numerator(), b.denominator()});  // over a.denominator · b.denominator
  exact += product({b.numerator(), a.denominator()});
  const Natural denominator = product({a.denominator(), b.denominator()});
  RC_ASSERT(exact * Natural(q) <= denominator * Natural(p));
  Natural exact_and_a_step = exact * product({grid, q});
  exact_and_a_step += denominator * Natural(q);
  RC_ASSERT(denominator * product({p, grid}) <= exact_and_a_step);
}

RC_GTEST_PROP(Rational, RoundsADifferenceDown, ()) {
  const Rational x = *any_rational();
  const Rational y = *any_rational();
  const Rational& a = std::max(x, y);
  const Rational& b = std::min(x, y);
  const auto rounded = subtract(a, b, Rounding::kDown);
  RC_ASSERT(rounded);
  // b + rounded ≤ a
  Natural sum = product({b.numerator(), rounded->denominator()});
  sum += product({rounded->numerator(), b.denominator()});
  RC_ASSERT(sum * Natural(a.denominator()) <= product({a.numerator(), b.denominator(), rounded->denominator()}));
}

}  // namespace
}  // namespace sotto
