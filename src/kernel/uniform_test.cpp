#include "sotto/kernel/uniform.h"

#include <gtest/gtest.h>

#include <vector>

#include "sotto/kernel/scripted_entropy_test.h"

namespace sotto {
namespace {

// Plays every word once to `draw(n, entropy)`: each value below n must come from ⌊2^w/n⌋ words, and the words left over
// must be rejected (that is, another one asked for).
template <typename Word, typename Draw>
bool is_uniform_over_all_words(std::uint64_t n, ScriptedEntropy& entropy, Draw draw) {
  constexpr std::uint64_t kWords = std::uint64_t{1} << (8 * sizeof(Word));
  std::vector<std::uint64_t> counts(n, 0);
  std::uint64_t rejected = 0;
  for (std::uint64_t word = 0; word < kWords; ++word) {
    std::vector<std::uint8_t> script;
    append(script, static_cast<Word>(word));
    entropy.play(script);
    try {
      const std::uint64_t value = draw(n, entropy);
      if (value >= n) return false;
      ++counts[value];
    } catch (const ScriptEnded&) {
      ++rejected;
    }
  }
  for (const std::uint64_t count : counts)
    if (count != kWords / n) return false;
  return rejected == kWords % n;
}

template <typename Word>
std::uint64_t remainder_mutant(std::uint64_t n, Entropy& entropy) {
  return entropy.take<Word>() % n;
}

std::uint64_t below_by_two_bytes(std::uint64_t n, Entropy& entropy) {
  return uniform_below_by<std::uint16_t, std::uint32_t>(n, entropy);
}

TEST(UniformBelow, GivesEveryValueEquallyManyOfAllBytes) {
  ScriptedEntropy entropy;
  for (std::uint64_t n = 1; n < 256; ++n)
    EXPECT_TRUE((is_uniform_over_all_words<std::uint8_t>(n, entropy, uniform_below_by<std::uint8_t, std::uint32_t>)))
        << n;
}

TEST(UniformBelow, GivesEveryValueEquallyManyOfAllTwoByteWords) {
  ScriptedEntropy entropy;
  for (const std::uint64_t n : {1, 17, 1000, 4095, 4096, 65535})
    EXPECT_TRUE(is_uniform_over_all_words<std::uint16_t>(n, entropy, below_by_two_bytes)) << n;
}

TEST(UniformBelow, CheckRejectsTheRemainderOfAWord) {
  ScriptedEntropy entropy;
  for (const std::uint64_t n : {3, 10, 255})
    EXPECT_FALSE(is_uniform_over_all_words<std::uint8_t>(n, entropy, remainder_mutant<std::uint8_t>)) << n;
  EXPECT_FALSE(is_uniform_over_all_words<std::uint16_t>(1000, entropy, remainder_mutant<std::uint16_t>));
}

// The value that one word, as wide as expected, leads to.
template <typename Word>
std::uint64_t value_from(Word word, std::uint64_t n) {
  ScriptedEntropy entropy;
  std::vector<std::uint8_t> script;
  append(script, word);
  entropy.play(script);
  const std::uint64_t value = uniform_below(n, entropy);
  EXPECT_THROW(entropy.take<std::uint8_t>(), ScriptEnded) << "the word was not used up";
  return value;
}

TEST(UniformBelow, TakesTheSmallestWordThatIsSeldomRejected) {
  constexpr std::uint64_t kOne = 1;
  EXPECT_EQ(value_from(std::uint8_t{0xFF}, 1), 0U);
  EXPECT_EQ(value_from(std::uint8_t{0xFF}, 16), 15U);
  EXPECT_EQ(value_from(std::uint16_t{0xFFFF}, 17), 16U);
  EXPECT_EQ(value_from(std::uint16_t{0xFFFF}, 4096), 4095U);
  EXPECT_EQ(value_from(std::uint32_t{0xFFFFFFFF}, 4097), 4096U);
  EXPECT_EQ(value_from(std::uint32_t{0xFFFFFFFF}, kOne << 28), (kOne << 28) - 1);
  EXPECT_EQ(value_from(~std::uint64_t{0}, (kOne << 28) + 1), kOne << 28);
}

TEST(UniformBelow, HandlesTheLargestBounds) {
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
  EXPECT_EQ(value_from(kMax, std::uint64_t{1} << 63), (std::uint64_t{1} << 63) - 1);
  EXPECT_EQ(value_from(std::uint64_t{1}, kMax), 0U);
  EXPECT_EQ(value_from(kMax, kMax), kMax - 1);
  EXPECT_THROW(value_from(std::uint64_t{0}, kMax), ScriptEnded) << "2^64 mod (2^64 − 1) = 1 word is to be rejected";
}

}  // namespace
}  // namespace sotto
