// inexact: see the header.
#include "sotto/channel/symmetric_beta.h"

#include <cmath>
#include <numbers>

namespace sotto {
namespace {

// Γ(x + 1/2) / Γ(x). The asymptotic series is good to 1e-15 from x = 32 on; below, Γ(x + 1) = x·Γ(x) leads there. No
// difference of large logarithms, so no digits are lost.
double half_step_of_gamma(double x) {
  double factor = 1;
  while (x < 32) {
    factor *= x / (x + 0.5);
    x += 1;
  }
  const double y = 1 / x;
  const double series =
      1 + y * (-1.0 / 8 +
               y * (1.0 / 128 +
                    y * (5.0 / 1024 + y * (-21.0 / 32768 +
                                           y * (-399.0 / 262144 + y * (869.0 / 4194304 + y * (39325.0 / 33554432)))))));
  return factor * std::sqrt(x) * series;
}

// log(4x(1−x)), accurate near both x = 0 and x = 1/2.
double log_parabola(double x) {
  const double t = 1 - 2 * x;
  return x < 0.25 ? std::log(4 * x) + std::log1p(-x) : std::log1p(-t * t);
}

}  // namespace

// 4^a·B(a, a) = 2·√π·Γ(a)/Γ(a + 1/2), so the scale is Γ(a + 1/2) / (2√π·Γ(a + 1)).
SymmetricBeta::SymmetricBeta(double a)
    : a_(a), scale_(1 / (2 * std::sqrt(std::numbers::pi) * half_step_of_gamma(a + 0.5))) {}

double SymmetricBeta::partial_mean(double x) const { return scale_ * std::exp(a_ * log_parabola(x)); }

// I_x(a, a) = partial_mean(x)·₂F₁(1, 2a; a+1; x) [DLMF 8.17.8]. For x ≤ 1/2 all terms are positive and shrink.
double SymmetricBeta::series(double x) const {
  double sum = 1;
  double term = 1;
  double k = 0;
  while (term > 0x1p-56 * sum) {
    term *= x * (2 * a_ + k) / (a_ + 1 + k);
    sum += term;
    k += 1;
  }
  return sum;
}

double SymmetricBeta::cdf(double x) const {
  if (x > 0.5) return 1 - cdf(1 - x);
  return partial_mean(x) * series(x);
}

double SymmetricBeta::quantile(double q) const { return q > 0.5 ? 1 - lower_quantile(1 - q) : lower_quantile(q); }

// Newton's method for log I_x as a function of log x, whose slope is a / ((1−x)·₂F₁). It starts from the bound
// I_x ≤ (4x(1−x))^a / 2, from where it climbs monotonically when a ≥ 1; a = 1/2 overshoots once, at most to 1/2.
double SymmetricBeta::lower_quantile(double q) const {
  const double log_parabola_at_start = std::log(2 * q) / a_;
  double x = std::exp(log_parabola_at_start) / (2 + 2 * std::sqrt(-std::expm1(log_parabola_at_start)));
  for (int round = 0; round < 100; ++round) {
    const double ratio = series(x);
    const double step = std::log(q / (partial_mean(x) * ratio)) * (1 - x) * ratio / a_;
    x = std::fmin(0.5, x * std::exp(step));
    if (std::abs(step) < 1e-9) break;
  }
  return x;
}

}  // namespace sotto
