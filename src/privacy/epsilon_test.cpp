#include "sotto/privacy/epsilon.h"

#include <gtest/gtest.h>

#include <string>

namespace sotto {
namespace {

Epsilon epsilon(const char* text) { return Epsilon::parse(text).value_or_throw(); }
Delta delta(const char* text) { return Delta::parse(text).value_or_throw(); }

TEST(Epsilon, HoldsExactlyWhatWasWritten) {
  EXPECT_EQ(epsilon("1.4").value(), *Rational::make(7, 5));
  EXPECT_EQ(epsilon("7/5"), epsilon("1.4"));
  EXPECT_EQ(epsilon("1.4").to_string(), "1.4");
  EXPECT_DOUBLE_EQ(epsilon("1.4").to_double(), 1.4);
}

TEST(Epsilon, AcceptsBothEndsOfItsRangeAndNothingBeyond) {
  EXPECT_TRUE(Epsilon::parse("0.001"));
  EXPECT_TRUE(Epsilon::parse("1/1000"));
  EXPECT_TRUE(Epsilon::parse("100"));
  for (const char* text : {"0", "0.0009999", "1/1001", "100.0001", "1e3", "17592186044415"})
    EXPECT_FALSE(Epsilon::parse(text)) << text;
}

TEST(Epsilon, NamesParameterValueAndRangeInEveryError) {
  for (const char* text : {"100.0001", "0.0009999", "0", "-1", "nan", "inf", "1e400", "+1", "1.4 "}) {
    const auto result = Epsilon::parse(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
    for (const char* part : {"epsilon", text, "0.001", "100"})
      EXPECT_NE(result.error().message.find(part), std::string::npos) << part << " in: " << result.error().message;
  }
}

TEST(Epsilon, AddsExactlyWhereDoublesDoNot) {
  EXPECT_NE(0.1 + 0.2, 0.3);
  EXPECT_EQ(*epsilon("0.1").plus(epsilon("0.2")), epsilon("0.3"));
}

TEST(Epsilon, SplitsIntoPartsThatAddUpAgain) {
  const Epsilon whole = epsilon("1.4");
  const Epsilon part = whole.divided_by(784).value_or_throw();
  EXPECT_LT(part, epsilon("0.002"));
  Epsilon sum = part;
  for (int i = 1; i < 784; ++i) sum = sum.plus(part).value_or_throw();
  EXPECT_EQ(sum, whole);
  EXPECT_EQ(*whole.minus(epsilon("0.4")), epsilon("1"));
  EXPECT_EQ(*whole.times(*Rational::make(1, 7)), epsilon("0.2"));
}

TEST(Epsilon, IsNeverZeroOrNegative) {
  EXPECT_FALSE(Epsilon::make(Rational()));
  EXPECT_FALSE(epsilon("1").minus(epsilon("1")));
  EXPECT_FALSE(epsilon("1").minus(epsilon("2")));
  EXPECT_FALSE(epsilon("1").times(Rational()));
  EXPECT_FALSE(epsilon("1").divided_by(0));
  EXPECT_NE(epsilon("1").minus(epsilon("2")).error().message.find("epsilon"), std::string::npos);
}

TEST(Epsilon, OrdersExactly) {
  EXPECT_LT(epsilon("0.999999999999"), epsilon("1"));
  EXPECT_GT(epsilon("1.4"), epsilon("1.39999999999"));
  EXPECT_LE(epsilon("1.4"), epsilon("7/5"));
}

TEST(Delta, AcceptsZeroAndItsRangeAndNothingBeyond) {
  EXPECT_TRUE(Delta::parse("0")->is_zero());
  EXPECT_EQ(*Delta::parse("0"), Delta::zero());
  EXPECT_TRUE(Delta::parse("1e-12"));
  EXPECT_TRUE(Delta::parse("0.1"));
  EXPECT_TRUE(Delta::parse("1/10"));
  for (const char* text : {"0.1000001", "1", "1e-13", "1/1000000000001", "-0.1"})
    EXPECT_FALSE(Delta::parse(text)) << text;
}

TEST(Delta, NamesParameterValueAndRangeInEveryError) {
  for (const char* text : {"0.2", "-1", "nan", "1e-400"}) {
    const auto result = Delta::parse(text);
    ASSERT_FALSE(result) << text;
    for (const char* part : {"delta", text, "1e-12", "0.1"})
      EXPECT_NE(result.error().message.find(part), std::string::npos) << part << " in: " << result.error().message;
  }
}

TEST(Delta, AddsExactlyAndMayLeaveTheRangePeopleWrite) {
  EXPECT_EQ(*delta("1e-5").plus(delta("2e-5")), delta("3e-5"));
  const auto sum = delta("0.1").plus(delta("0.1"));
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->to_string(), "0.2");
}

}  // namespace
}  // namespace sotto
