// inexact: real-valued draws in floating point, for the benchmark channels whose published samplers need them.
//
// Uniform reals are multiples of 2^−53, normal ones Box–Muller pairs of those. Every bit comes from Entropy. Fit for
// benchmarks only: the holes between doubles tell an attacker more than ε [Mir12], which is why the claims that rest on
// these draws say inexact.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "sotto/kernel/entropy.h"

namespace sotto {

// Uniform on the multiples of 2^−53 in (0, 1]: never 0, so its logarithm is finite.
inline double uniform_real(Entropy& entropy) {
  return static_cast<double>((entropy.take<std::uint64_t>() >> 11) + 1) * 0x1p-53;
}

// Independent standard normal values.
inline void fill_normal(std::span<double> values, Entropy& entropy) {
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const double radius = std::sqrt(-2 * std::log(uniform_real(entropy)));
    const double angle = 2 * std::numbers::pi * uniform_real(entropy);
    values[i] = radius * std::cos(angle);
    if (i + 1 < values.size()) values[i + 1] = radius * std::sin(angle);
  }
}

}  // namespace sotto
