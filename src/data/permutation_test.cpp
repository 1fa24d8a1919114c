#include "sotto/data/permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sotto/data/fixture_test.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

// Chi-square over the 24 orders of four items, 24,000 draws, 23 degrees of freedom. Above 64.3 has probability 1e-5
// for a uniform shuffle; one order that comes 40 % too often (expected share 1.4/24) is noticed with power above 0.99.
double chi_square_of_orders(std::vector<std::uint32_t> (*shuffle)(std::uint64_t)) {
  std::vector<double> seen(256);
  constexpr int kDraws = 24'000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const auto order = shuffle(seed);
    seen[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]] += 1;
  }
  std::vector<std::uint32_t> order = {0, 1, 2, 3};
  double sum = 0;
  do {
    const double count = seen[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]];
    sum += (count - kDraws / 24.0) * (count - kDraws / 24.0) / (kDraws / 24.0);
  } while (std::next_permutation(order.begin(), order.end()));
  return sum;
}

constexpr double kChiSquareLimit = 64.3;

TEST(Permutation, MakesEveryOrderEquallyLikely) {
  EXPECT_LT(chi_square_of_orders([](std::uint64_t seed) { return permutation(4, seed); }), kChiSquareLimit);
}

// The usual mistake: each place swapped with any place, instead of with those left.
TEST(Permutation, TestRejectsTheNaiveShuffle) {
  const auto naive = [](std::uint64_t seed) {
    std::vector<std::uint32_t> order = {0, 1, 2, 3};
    SeededEntropy entropy(seed);
    for (std::uint32_t& place : order) std::swap(place, order[uniform_below(4, entropy)]);
    return order;
  };
  EXPECT_GT(chi_square_of_orders(naive), kChiSquareLimit);
}

// This order is the contract: it may never change, on any platform.
TEST(Permutation, GivesTheSameOrderForEver) {
  EXPECT_EQ(permutation(10, 42), (std::vector<std::uint32_t>{0, 7, 2, 4, 5, 9, 1, 8, 3, 6}));
}

TEST(Permutation, HoldsEveryIndexOnce) {
  for (const std::uint32_t n : {0U, 1U, 2U, 17U, 60'000U}) {
    std::vector<std::uint32_t> order = permutation(n, 9);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(order, expected);
  }
}

TEST(Permutation, ChangesWithTheSeed) { EXPECT_NE(permutation(100, 1), permutation(100, 2)); }

TEST(Split, CutsThePermutationIntoPieces) {
  const auto parts = split(10, std::vector<double>{0.5, 0.3, 0.2}, 42).value_or_throw();
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].size(), 5U);
  EXPECT_EQ(parts[1].size(), 3U);
  EXPECT_EQ(parts[2].size(), 2U);
  std::vector<std::uint32_t> joined;
  for (const auto& part : parts) joined.insert(joined.end(), part.begin(), part.end());
  EXPECT_EQ(joined, permutation(10, 42));
}

TEST(Split, UsesEveryIndexWhenTheFractionsAddUpToOne) {
  for (std::uint32_t n = 0; n < 200; ++n) {
    const auto parts = split(n, std::vector<double>{0.7, 0.2, 0.1}, 3).value_or_throw();
    EXPECT_EQ(parts[0].size() + parts[1].size() + parts[2].size(), n);
  }
}

TEST(Split, LeavesOutTheRestOtherwise) {
  const auto parts = split(1000, std::vector<double>{0.25, 0.25}, 3).value_or_throw();
  EXPECT_EQ(parts[0].size(), 250U);
  EXPECT_EQ(parts[1].size(), 250U);
}

TEST(Split, RefusesFractionsThatAreNotShares) {
  for (const auto& fractions :
       {std::vector<double>{0.5, 0.6}, {0.0, 1.0}, {-0.1, 0.5}, {1.5}, {std::nan("")}, {0.5, INFINITY}}) {
    const auto result = split(10, fractions, 1);
    ASSERT_FALSE(result);
    EXPECT_TRUE(contains(result.error().message, "fractions: received")) << result.error().message;
  }
}

}  // namespace
}  // namespace sotto
