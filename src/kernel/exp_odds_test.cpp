#include "sotto/kernel/exp_odds.h"

#include <gmp.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <optional>
#include <vector>

#include "sotto/kernel/scripted_entropy_test.h"

namespace sotto {
namespace {

struct Odds {
  std::uint64_t a, b, p, q;
};

std::ostream& operator<<(std::ostream& out, const Odds& odds) {
  return out << odds.a << "·exp(" << odds.p << "/" << odds.q << ") : " << odds.b;
}

constexpr unsigned kWords = 4;
constexpr unsigned kBits = 16 + 64 * kWords;

// The first 16 bits of θ = a·e^(p/q) / (a·e^(p/q) + b), and the words of 64 bits that follow, from the MPFR library.
struct Expansion {
  std::uint16_t first;
  std::uint64_t rest[kWords];
};

Expansion expand(const Odds& odds) {
  mpfr_t theta, heads;
  mpfr_inits2(kBits + 2048, theta, heads, nullptr);
  mpfr_set_ui(heads, odds.p, MPFR_RNDN);
  mpfr_div_ui(heads, heads, odds.q, MPFR_RNDN);
  mpfr_exp(heads, heads, MPFR_RNDN);
  mpfr_mul_ui(heads, heads, odds.a, MPFR_RNDN);
  mpfr_add_ui(theta, heads, odds.b, MPFR_RNDN);
  mpfr_div(theta, heads, theta, MPFR_RNDN);
  mpfr_mul_2ui(theta, theta, kBits, MPFR_RNDN);
  mpz_t digits, word;
  mpz_inits(digits, word, nullptr);
  mpfr_get_z(digits, theta, MPFR_RNDD);
  Expansion expansion{};
  for (unsigned i = kWords; i-- > 0;) {
    mpz_fdiv_r_2exp(word, digits, 64);
    expansion.rest[i] = mpz_get_ui(word);
    mpz_fdiv_q_2exp(digits, digits, 64);
  }
  expansion.first = static_cast<std::uint16_t>(mpz_get_ui(digits));
  mpz_clears(digits, word, nullptr);
  mpfr_clears(theta, heads, nullptr);
  return expansion;
}

const Odds kMany[] = {
    {1, 1, 1, 1},
    {1, 9, 1, 1},
    {1, 9, 10, 1},
    {1, 99, 7, 5},
    {27, 73, 1, 1},
    {1, 1, 1, 10000},
    {1, 1048576, 1, 10000},
    {1, 1, 100, 1},
    {1, 1048576, 100, 1},
    {3, 5, 1, 3},
    {1, 1, 1, 17592186044415},
    {5, 4294967295, 7, 5},
    {4294967295, 1, 1, 2},
    {1, 2, 1024, 1},
    {1, 9, 99999999999, 10000000000},
    {2, 3, 123457, 1000000},
    {1, 4294967295, 22, 1},
};

// heads() after exactly these bytes, or nothing if it asks for more.
std::optional<bool> decide(const ExpOdds& odds, const std::vector<std::uint8_t>& script, ScriptedEntropy& entropy) {
  entropy.play(script);
  try {
    return odds.heads(entropy);
  } catch (const ScriptEnded&) {
    return std::nullopt;
  }
}

std::vector<std::uint8_t> script_of(std::uint16_t first) {
  std::vector<std::uint8_t> script;
  append(script, first);
  return script;
}

TEST(ExpOdds, DecidesAllButOneOfTheFirstWordsAsTheTrueProbabilityDoes) {
  ScriptedEntropy entropy;
  for (const Odds& odds : {kMany[1], kMany[5], kMany[7]}) {
    const auto coin = ExpOdds::make(odds.a, odds.b, odds.p, odds.q).value_or_throw();
    const Expansion theta = expand(odds);
    for (unsigned word = 0; word < 65536; ++word) {
      const auto heads = decide(coin, script_of(static_cast<std::uint16_t>(word)), entropy);
      ASSERT_EQ(heads.has_value(), word != theta.first) << odds << ", word " << word;
      if (heads) {
        ASSERT_EQ(*heads, word < theta.first) << odds << ", word " << word;
      }
    }
  }
}

TEST(ExpOdds, DecidesTheWordsAroundTheBoundaryForManyOdds) {
  ScriptedEntropy entropy;
  for (const Odds& odds : kMany) {
    const auto coin = ExpOdds::make(odds.a, odds.b, odds.p, odds.q).value_or_throw();
    const int boundary = expand(odds).first;
    for (const int word : {0, boundary - 2, boundary - 1, boundary, boundary + 1, boundary + 2, 65535}) {
      if (word < 0 || word > 65535) continue;
      const auto heads = decide(coin, script_of(static_cast<std::uint16_t>(word)), entropy);
      EXPECT_EQ(heads.has_value(), word != boundary) << odds << ", word " << word;
      if (heads) {
        EXPECT_EQ(*heads, word < boundary) << odds << ", word " << word;
      }
    }
  }
}

// Follows the true expansion for as long as it likes, and decides at the first word that differs, by however little.
TEST(ExpOdds, RefinesUntilTheRandomWordsLeaveTheTrueExpansion) {
  ScriptedEntropy entropy;
  for (const Odds& odds : kMany) {
    const auto coin = ExpOdds::make(odds.a, odds.b, odds.p, odds.q).value_or_throw();
    const Expansion theta = expand(odds);
    auto script = script_of(theta.first);
    for (const std::uint64_t word : theta.rest) {
      EXPECT_EQ(decide(coin, script, entropy), std::nullopt) << odds;
      if (word != 0) {
        auto below = script;
        append(below, word - 1);
        EXPECT_EQ(decide(coin, below, entropy), true) << odds;
      }
      if (word != ~std::uint64_t{0}) {
        auto above = script;
        append(above, word + 1);
        EXPECT_EQ(decide(coin, above, entropy), false) << odds;
      }
      append(script, word);
    }
    EXPECT_EQ(decide(coin, script, entropy), std::nullopt) << odds;
  }
}

TEST(ExpOdds, IsCertainOfHeadsAgainstNothing) {
  ScriptedEntropy entropy;
  const auto coin = ExpOdds::make(1, 0, 1, 1).value_or_throw();
  for (const int word : {0, 1, 32768, 65534, 65535})
    EXPECT_EQ(decide(coin, script_of(static_cast<std::uint16_t>(word)), entropy), true);
}

TEST(ExpOdds, RefusesWhatItCannotHold) {
  constexpr std::uint64_t kOne = 1;
  EXPECT_FALSE(ExpOdds::make(0, 1, 1, 1));
  EXPECT_FALSE(ExpOdds::make(kOne << 32, 1, 1, 1));
  EXPECT_FALSE(ExpOdds::make(1, kOne << 32, 1, 1));
  EXPECT_FALSE(ExpOdds::make(1, 1, 0, 1)) << "exp(0) is rational: refinement might never end";
  EXPECT_FALSE(ExpOdds::make(1, 1, 1, 0));
  EXPECT_FALSE(ExpOdds::make(1, 1, 1, kOne << 44));
  EXPECT_FALSE(ExpOdds::make(1, 1, 1025, 1));
  EXPECT_FALSE(ExpOdds::make(1, 1, 2049, 2));
  EXPECT_TRUE(ExpOdds::make((kOne << 32) - 1, (kOne << 32) - 1, 1024 * ((kOne << 44) - 1), (kOne << 44) - 1));
}

}  // namespace
}  // namespace sotto
