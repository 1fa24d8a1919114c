#include "sotto/channel/clamped_laplace.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sotto {
namespace {

// The window reaches 48 scales beyond the points: met with probability exp(−48) per coordinate, it costs no utility.
constexpr std::uint64_t kScalesToTheWindow = 48;

}  // namespace

Result<ClampedLaplace> ClampedLaplace::make(const Epsilon& epsilon, std::int64_t sensitivity, Range points) {
  const auto per_step = epsilon.divided_by(static_cast<std::uint64_t>(sensitivity));
  if (!per_step) return per_step.error();
  const Rational& rate = per_step->value();
  const auto noise = DiscreteLaplace::make(rate.numerator(), rate.denominator());
  if (!noise) return noise.error();
  const auto margin = static_cast<std::int64_t>(kScalesToTheWindow * rate.denominator() / rate.numerator()) + 1;
  const Range window{points.low - margin, points.high + margin};
  if (points.high - window.low >= noise->limit() || window.high - points.low >= noise->limit())
    return refuse("epsilon: " + epsilon.to_string() + " needs more digits than the sampler has");
  return ClampedLaplace(*noise, rate.to_double(), window);
}

std::int64_t ClampedLaplace::sample(std::int64_t k, Entropy& entropy) const {
  return std::clamp(k + noise_.sample(entropy), window_.low, window_.high);
}

// With α = exp(−rate): P(X = x) = α^|x|·(1−α)/(1+α), and P(X ≥ n) = α^n/(1+α) for n ≥ 1.
double ClampedLaplace::log_pmf(std::int64_t report, std::int64_t k) const {
  const double distance = std::abs(static_cast<double>(report - k));
  const bool at_the_window = report == window_.low || report == window_.high;
  const double log_factor = at_the_window ? -std::log1p(std::exp(-rate_)) : std::log(std::tanh(rate_ / 2));
  return log_factor - distance * rate_;
}

}  // namespace sotto
