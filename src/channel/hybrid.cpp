// inexact: see the header.
#include "sotto/channel/hybrid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sotto/channel/real_uniform.h"

namespace sotto {
namespace {

// Where the worst-case variances of the mixture and of the two points alone are equal: the root that [Wan19] gives
// in closed form and quotes as 0.61.
constexpr double kTwoPointsAloneBelow = 0.609352493027309;

}  // namespace

Hybrid::Hybrid(double epsilon)
    : piecewise_share_(epsilon > kTwoPointsAloneBelow ? -std::expm1(-epsilon / 2) : 0.0),
      piecewise_(epsilon),
      magnitude_(static_cast<std::int64_t>(static_cast<double>(kCellsPerUnit) / std::tanh(epsilon / 2)) + 1) {}

std::int64_t Hybrid::bound() const {
  return piecewise_share_ > 0 ? std::max(piecewise_.bound(), magnitude_) : magnitude_;
}

// Chosen so that the two rounded points have mean t exactly.
double Hybrid::chance_of_upper_point(double t) const {
  return 0.5 + 0.5 * t * static_cast<double>(kCellsPerUnit) / static_cast<double>(magnitude_);
}

std::int64_t Hybrid::draw(double t, Entropy& entropy) const {
  if (uniform_real(entropy) <= piecewise_share_) return piecewise_.draw(t, entropy);
  return uniform_real(entropy) <= chance_of_upper_point(t) ? magnitude_ : -magnitude_;
}

double Hybrid::pmf(std::int64_t value, double t) const {
  double sum = 0;
  if (std::abs(value) <= piecewise_.bound()) sum += piecewise_share_ * piecewise_.pmf(value, t);
  if (value == magnitude_) sum += (1 - piecewise_share_) * chance_of_upper_point(t);
  if (value == -magnitude_) sum += (1 - piecewise_share_) * chance_of_upper_point(-t);
  return sum;
}

Result<std::unique_ptr<Channel>> make_hybrid(Product box, const Epsilon& epsilon) {
  return make_attribute_sampling(std::move(box), epsilon, [](double share) { return std::make_unique<Hybrid>(share); });
}

}  // namespace sotto
