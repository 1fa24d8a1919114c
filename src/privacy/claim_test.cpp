#include "sotto/privacy/claim.h"

#include <gtest/gtest.h>

#include <string>

namespace sotto {
namespace {

Claim claim(const char* epsilon, const char* delta, Exactness exactness, const char* proof) {
  return {Epsilon::parse(epsilon).value_or_throw(), Delta::parse(delta).value_or_throw(), exactness, proof};
}

TEST(Claim, SaysWhatItPromisesBetweenWhomAndWhy) {
  EXPECT_EQ(claim("1.4", "0", Exactness::kExact, "docs/proofs/a.md").to_string(),
            "epsilon = 1.4, exact, between any two records (docs/proofs/a.md)");
  EXPECT_EQ(claim("2", "1e-5", Exactness::kInexact, "docs/proofs/b.md").to_string(),
            "epsilon = 2, delta = 0.00001, INEXACT (floating-point sampler), between any two records "
            "(docs/proofs/b.md)");
}

TEST(Claim, ComposesByExactAddition) {
  const auto both = compose(claim("0.1", "1e-6", Exactness::kExact, "a"), claim("0.2", "2e-6", Exactness::kExact, "b"));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->epsilon, *Epsilon::parse("0.3"));
  EXPECT_EQ(both->delta, *Delta::parse("3e-6"));
  EXPECT_EQ(both->exactness, Exactness::kExact);
  EXPECT_EQ(both->proof, "a + b");
  EXPECT_EQ(compose(*both, *both)->proof, "a + b");
}

TEST(Claim, IsInexactAsSoonAsOnePartIs) {
  const Claim exact = claim("1", "0", Exactness::kExact, "a");
  const Claim inexact = claim("1", "0", Exactness::kInexact, "a");
  EXPECT_EQ(compose(exact, inexact)->exactness, Exactness::kInexact);
  EXPECT_EQ(compose(inexact, exact)->exactness, Exactness::kInexact);
  EXPECT_EQ(compose(inexact, inexact)->exactness, Exactness::kInexact);
}

TEST(Claim, RefusesASumThatCannotBeHeldExactly) {
  const auto sum = compose(claim("9999991/9999973", "0", Exactness::kExact, "a"),  // two primes below
                           claim("9999943/9999937", "0", Exactness::kExact, "a"));
  ASSERT_FALSE(sum);
  EXPECT_NE(sum.error().message.find("epsilon"), std::string::npos);
}

}  // namespace
}  // namespace sotto
