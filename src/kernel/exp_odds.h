// An exact coin whose odds contain an exponential: heads against tails = a·e^r : b, with r = p/q rational.
//
// This one coin drives randomised response (a = 1, b = k−1), subset selection (a = ω, b = k−ω) and every binary flip
// (a = b = 1). The probability θ = a·e^r / (a·e^r + b) is irrational, so no table holds it; two random bytes nearly
// always decide on which side of θ a uniform real lies, and when they do not, θ is enclosed ever more tightly with
// integers of growing size until they do. Exact: no draw is ever decided by rounding.
#pragma once

#include <cstdint>

#include "sotto/kernel/entropy.h"
#include "sotto/kernel/result.h"

namespace sotto {

class ExpOdds {
 public:
  // Odds a·exp(p/q) : b. Allowed: a ≥ 1; b ≥ 0; 1 ≤ q < 2^44; 0 < p/q ≤ 1024; a, b < 2^32.
  static Result<ExpOdds> make(std::uint64_t a, std::uint64_t b, std::uint64_t p, std::uint64_t q);

  // Heads with probability exactly a·e^(p/q) / (a·e^(p/q) + b).
  bool heads(Entropy& entropy) const {
    const std::uint16_t first = entropy.take<std::uint16_t>();
    if (first < boundary_) return true;
    if (first > boundary_ + 1U) return false;
    return refine(first, entropy);
  }

 private:
  ExpOdds(std::uint64_t a, std::uint64_t b, std::uint64_t p, std::uint64_t q) : a_(a), b_(b), p_(p), q_(q) {}

  bool refine(std::uint16_t first, Entropy& entropy) const;

  std::uint64_t a_, b_, p_, q_;
  // ⌊2^16·θ⌋, or one less should θ lie within 2^−60 above a multiple of 2^−16: below it certainly heads, beyond its
  // successor certainly tails.
  std::uint32_t boundary_ = 0;
};

}  // namespace sotto
