// Reproducible randomness for experiments: the same seed gives the same reports, so it protects nobody.
// A device build cannot include this header, and cannot derive a source of its own because Entropy is final there.
#pragma once

#if defined(SOTTO_DEVICE)
#error "seeded entropy is for experiments and cannot be part of a device build"
#endif

#include <array>
#include <cstdint>
#include <span>

#include "sotto/kernel/entropy.h"

namespace sotto {

// xoshiro256++ [BV19], its state filled by splitmix64 from the seed. The byte stream is the same on every platform.
class SeededEntropy : public Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed);

 protected:
  void fill(std::span<std::uint8_t> bytes) override;

 private:
  std::uint64_t next();

  std::array<std::uint64_t, 4> state_;
};

}  // namespace sotto
