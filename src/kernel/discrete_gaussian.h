// The discrete Gaussian law P(X = x) ∝ exp(−x²/(2σ²)) on the integers, σ² rational, sampled exactly [CKS20, Alg. 3].
#pragma once

#include <cstdint>

#include "sotto/kernel/discrete_laplace.h"
#include "sotto/kernel/entropy.h"
#include "sotto/kernel/result.h"

namespace sotto {

class DiscreteGaussian {
 public:
  // σ² = numerator/denominator. Allowed: 1 ≤ numerator ≤ 2^50, 1 ≤ denominator ≤ 2^10.
  static constexpr std::uint64_t kMaxNumerator = std::uint64_t{1} << 50;
  static constexpr std::uint64_t kMaxDenominator = std::uint64_t{1} << 10;
  static Result<DiscreteGaussian> make(std::uint64_t numerator, std::uint64_t denominator);

  // One draw, conditioned on |X| < limit().
  std::int64_t sample(Entropy& entropy) const;

  // At least 2^11·σ, so conditioning moves the law by less than exp(−2^20) in total variation.
  std::int64_t limit() const { return limit_; }

 private:
  DiscreteGaussian(std::uint64_t numerator, std::uint64_t denominator, std::uint64_t t, DiscreteLaplace proposal);

  std::uint64_t numerator_, denominator_;
  std::uint64_t t_;  // ⌊σ⌋ + 1, the scale of the proposal
  std::int64_t limit_;
  DiscreteLaplace proposal_;
};

}  // namespace sotto
