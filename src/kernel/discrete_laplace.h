// The discrete Laplace law P(X = x) ∝ exp(−|x|·s/t) on the integers, sampled exactly [CKS20, Alg. 2].
#pragma once

#include <cstdint>

#include "sotto/kernel/entropy.h"
#include "sotto/kernel/result.h"

namespace sotto {

class DiscreteLaplace {
 public:
  // Rate s/t, scale t/s. Allowed: 1 ≤ s < 2^55, 1 ≤ t < 2^55.
  static Result<DiscreteLaplace> make(std::uint64_t s, std::uint64_t t);

  // One draw X, clamped to ±limit(). The clamp is part of the contract: whoever adds X to a point must clamp the sum to
  // a window that hides it (see channel/lattice_laplace), and then the sum is exactly the clamped sum with unclamped
  // noise.
  std::int64_t sample(Entropy& entropy) const;

  // At least ⌊2^7·t/s⌋ and 2^7 − 1. The clamp is met with a probability near exp(−2^7) at worst, and below exp(−2^20)
  // with common parameters.
  std::int64_t limit() const { return limit_; }

 private:
  DiscreteLaplace(std::uint64_t s, std::uint64_t t);

  std::uint64_t s_, t_;
  std::uint64_t most_folds_;
  std::int64_t limit_;
};

}  // namespace sotto
