// Uniform integers without modulo bias.
#pragma once

#include <cstdint>

#include "sotto/kernel/entropy.h"

namespace sotto {

__extension__ using Uint128 = unsigned __int128;

// Lemire's multiply-and-reject [Lem19] on words of `Word`: x·n / 2^w is uniform below n once the 2^w mod n products
// with the smallest low halves are rejected. `Wide` holds a product.
template <typename Word, typename Wide>
std::uint64_t uniform_below_by(std::uint64_t n, Entropy& entropy) {
  constexpr int kBits = 8 * sizeof(Word);
  const Word bound = static_cast<Word>(n);
  Wide product = static_cast<Wide>(static_cast<Wide>(entropy.take<Word>()) * bound);
  if (static_cast<Word>(product) < bound) {
    const Word rejected = static_cast<Word>(static_cast<Word>(-bound) % bound);
    while (static_cast<Word>(product) < rejected)
      product = static_cast<Wide>(static_cast<Wide>(entropy.take<Word>()) * bound);
  }
  return static_cast<std::uint64_t>(product >> kBits);
}

// Exactly uniform on {0, …, n−1}. Precondition: n ≥ 1. Takes the smallest word that is seldom rejected.
inline std::uint64_t uniform_below(std::uint64_t n, Entropy& entropy) {
  if (n <= (1U << 4)) return uniform_below_by<std::uint8_t, std::uint32_t>(n, entropy);
  if (n <= (1U << 12)) return uniform_below_by<std::uint16_t, std::uint32_t>(n, entropy);
  if (n <= (1U << 28)) return uniform_below_by<std::uint32_t, std::uint64_t>(n, entropy);
  return uniform_below_by<std::uint64_t, Uint128>(n, entropy);
}

}  // namespace sotto
