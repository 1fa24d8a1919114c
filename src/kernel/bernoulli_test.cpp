#include "sotto/kernel/bernoulli.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "sotto/kernel/goodness_of_fit_test.h"
#include "sotto/kernel/natural.h"
#include "sotto/kernel/scripted_entropy_test.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

constexpr std::size_t kDepth = 3;

Natural natural(Uint128 value) {
  Natural result(static_cast<std::uint64_t>(value >> 64));
  result <<= 64;
  result += Natural(static_cast<std::uint64_t>(value));
  return result;
}

// Whether the byte strings that decide for true, and those that do not decide for false, enclose p/q, in integers.
template <typename Draw>
bool encloses_fraction(Uint128 p, Uint128 q, Draw draw) {
  const Enumeration found = enumerate(kDepth, draw);
  const auto decided = found.strings_leading_to.find(1);
  const std::uint64_t low = decided == found.strings_leading_to.end() ? 0 : decided->second;
  Natural target = natural(p);
  target <<= 8 * kDepth;
  // At most one string of each length is undecided, or bytes are wasted.
  return found.undecided <= 1 && natural(q) * Natural(low) <= target &&
         target <= natural(q) * Natural(low + found.undecided);
}

template <typename Int>
bool is_exact(Int p, Int q) {
  return encloses_fraction(p, q, [=](Entropy& entropy) { return bernoulli<Int>(p, q, entropy) ? 1 : 0; });
}

TEST(Bernoulli, EnclosesItsFractionOverAllByteStrings) {
  for (std::uint64_t q = 1; q <= 12; ++q)
    for (std::uint64_t p = 0; p <= q; ++p) EXPECT_TRUE(is_exact<std::uint64_t>(p, q)) << p << "/" << q;
  for (const std::uint64_t q : {255, 256, 257, 65535, 65536, 65537, 16777215})
    for (const std::uint64_t p : {std::uint64_t{1}, q / 3, q / 2, q - 1}) EXPECT_TRUE(is_exact(p, q)) << p << "/" << q;
}

TEST(Bernoulli, IsExactUpToTheLargestDenominators) {
  const std::uint64_t q = (std::uint64_t{1} << 56) - 1;
  for (const std::uint64_t p : {std::uint64_t{0}, std::uint64_t{1}, q / 7, q - 1, q}) EXPECT_TRUE(is_exact(p, q)) << p;
}

TEST(Bernoulli, IsExactInItsWideForm) {
  const Uint128 q = (Uint128{1} << 120) - 1;
  for (const Uint128 p : {Uint128{0}, Uint128{1}, q / 7, q - 1, q}) EXPECT_TRUE(is_exact(p, q));
  EXPECT_TRUE(is_exact<Uint128>(1, 3));
}

TEST(Bernoulli, CheckRejectsAThresholdOfOneByte) {
  EXPECT_FALSE(
      encloses_fraction(1, 3, [](Entropy& entropy) { return entropy.take<std::uint8_t>() < 256 / 3 ? 1 : 0; }));
}

TEST(Bernoulli, IsCertainAtBothEnds) {
  EXPECT_EQ(enumerate(kDepth, [](Entropy& e) { return bernoulli<std::uint64_t>(0, 5, e); }).strings_leading_to.count(1),
            0U);
  EXPECT_EQ(enumerate(kDepth, [](Entropy& e) { return bernoulli<std::uint64_t>(5, 5, e); }).strings_leading_to.count(0),
            0U);
}

using Coin = bool (*)(std::uint64_t p, std::uint64_t q, Entropy& entropy);

bool parity_mutant(std::uint64_t p, std::uint64_t q, Entropy& entropy) {
  return !bernoulli_exp_fraction(p, q, entropy);
}

// Forgets the coins 1/k: true with probability 1/(1 + p/q).
bool geometric_mutant(std::uint64_t p, std::uint64_t q, Entropy& entropy) {
  std::uint64_t k = 1;
  while (bernoulli(p, q, entropy)) ++k;
  return k % 2 == 1;
}

// Whether exp(−p/q) lies between the decided and the undecided strings; `width` is what the latter leave open.
bool encloses_exp(std::uint64_t p, std::uint64_t q, Coin coin, double& width) {
  constexpr double kStrings = 0x1p32;
  const Enumeration found = enumerate(4, [=](Entropy& entropy) { return coin(p, q, entropy) ? 1 : 0; });
  const auto decided = found.strings_leading_to.find(1);
  const double low = decided == found.strings_leading_to.end() ? 0 : static_cast<double>(decided->second) / kStrings;
  width = static_cast<double>(found.undecided) / kStrings;
  const double probability = std::exp(-static_cast<double>(p) / static_cast<double>(q));
  return low <= probability && probability <= low + width;
}

// Exact, and sharp: what four bytes leave open is less than the (p/q)²/2 by which the mutants are wrong.
TEST(BernoulliExp, EnclosesTheExponentialOverAllByteStrings) {
  double width = 0;
  EXPECT_TRUE(encloses_exp(0, 1, bernoulli_exp_fraction<std::uint64_t>, width));
  EXPECT_TRUE(encloses_exp(1, 1000, bernoulli_exp<std::uint64_t>, width));
  EXPECT_TRUE(encloses_exp(1, 100, bernoulli_exp_fraction<std::uint64_t>, width));
  EXPECT_LT(width, 0.5 / 100 / 100);
}

TEST(BernoulliExp, CheckRejectsAWrongParityAndAMissingFactorial) {
  double width = 0;
  EXPECT_FALSE(encloses_exp(1, 100, parity_mutant, width));
  EXPECT_FALSE(encloses_exp(1, 100, geometric_mutant, width));
}

// A million tosses, α = 1e-6: finds an error of 0.0025 in the probability.
double fit_of(std::uint64_t p, std::uint64_t q, Coin coin) {
  SeededEntropy entropy(p * 1000 + q);
  const double probability = std::exp(-static_cast<double>(p) / static_cast<double>(q));
  return fit(
      1000000, 0, 1, [&] { return coin(p, q, entropy) ? 1 : 0; },
      [=](std::int64_t heads) { return heads == 1 ? probability : 1 - probability; });
}

bool one_fold_too_many_mutant(std::uint64_t p, std::uint64_t q, Entropy& entropy) {
  for (; p >= q; p -= q)
    if (!bernoulli_exp_one(entropy)) return false;
  return bernoulli_exp_one(entropy) || bernoulli_exp_fraction(p, q, entropy);
}

TEST(BernoulliExp, FitsTheExponentialOnBothSidesOfOne) {
  for (const auto& [p, q] : {std::pair{1, 2}, {9, 10}, {1, 1}, {3, 2}, {2, 1}, {7, 2}, {6, 1}})
    EXPECT_GT(fit_of(p, q, bernoulli_exp<std::uint64_t>), kAlpha) << p << "/" << q;
  EXPECT_GT(fit_of(1, 1, [](std::uint64_t, std::uint64_t, Entropy& e) { return bernoulli_exp_one(e); }), kAlpha);
}

TEST(BernoulliExp, FitsTheExponentialInItsWideForm) {
  const auto wide = [](std::uint64_t p, std::uint64_t q, Entropy& entropy) {
    return bernoulli_exp<Uint128>(Uint128{p} << 100, Uint128{q} << 100, entropy);
  };
  for (const auto& [p, q] : {std::pair{1, 2}, {3, 2}}) EXPECT_GT(fit_of(p, q, wide), kAlpha) << p << "/" << q;
}

TEST(BernoulliExp, FitRejectsMutants) {
  EXPECT_LT(fit_of(1, 2, parity_mutant), kRejected);
  EXPECT_LT(fit_of(1, 2, geometric_mutant), kRejected);
  EXPECT_LT(fit_of(3, 2, one_fold_too_many_mutant), kRejected);
}

}  // namespace
}  // namespace sotto
