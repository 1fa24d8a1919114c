#include "sotto/kernel/seeded_entropy.h"

#include <bit>

namespace sotto {

SeededEntropy::SeededEntropy(std::uint64_t seed) : state_() {
  for (std::uint64_t& word : state_) {
    seed += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    word = mixed ^ (mixed >> 31);
  }
}

std::uint64_t SeededEntropy::next() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

void SeededEntropy::fill(std::span<std::uint8_t> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) word = next();
    bytes[i] = static_cast<std::uint8_t>(word >> (8 * (i % 8)));
  }
}

}  // namespace sotto
