#include "sotto/kernel/discrete_gaussian.h"

#include <string>

#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/integer_sqrt.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
Result<DiscreteGaussian> DiscreteGaussian::make(std::uint64_t numerator, std::uint64_t denominator) {
  if (numerator < 1 || numerator > kMaxNumerator || denominator < 1 || denominator > kMaxDenominator)
    return refuse(
        "discrete Gaussian: variance must be a fraction with numerator between 1 and 2^50 and denominator "
        "between 1 and 2^10, got " +
        std::to_string(numerator) + "/" + std::to_string(denominator));
  const std::uint64_t t = floor_sqrt(numerator / denominator) + 1;
  auto proposal = DiscreteLaplace::make(1, t);
  if (!proposal) return proposal.error();
  return DiscreteGaussian(numerator, denominator, t, *proposal);
}

DiscreteGaussian::DiscreteGaussian(std::uint64_t numerator, std::uint64_t denominator, std::uint64_t t,
                                   DiscreteLaplace proposal)
    : numerator_(numerator),
      denominator_(denominator),
      t_(t),
      limit_(static_cast<std::int64_t>((std::uint64_t{1} << 62) / (denominator * t))),
      proposal_(proposal) {}

std::int64_t DiscreteGaussian::sample(Entropy& entropy) const {
  // Keeps a discrete Laplace y of scale t with probability exp(−(|y| − σ²/t)²/(2σ²)); with σ² = n/m the exponent is
  // (|y|·m·t − n)² / (2·n·m·t²), whose square stays below 2^124 because |y| < limit, and whose divisor stays below
  // 2^102 because m·t² ≤ m·(σ + 1)² = n + 2·√(n·m) + m.
  const Uint128 divisor = Uint128{2} * numerator_ * denominator_ * t_ * t_;
  while (true) {
    const std::int64_t y = proposal_.sample(entropy);
    const auto magnitude = static_cast<std::uint64_t>(y < 0 ? -y : y);
    if (magnitude >= static_cast<std::uint64_t>(limit_)) continue;
    const std::uint64_t scaled = magnitude * denominator_ * t_;
    const Uint128 distance = scaled > numerator_ ? scaled - numerator_ : numerator_ - scaled;
    if (bernoulli_exp<Uint128>(distance * distance, divisor, entropy)) return y;
  }
}

}  // namespace sotto
