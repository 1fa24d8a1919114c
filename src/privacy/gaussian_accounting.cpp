#include "sotto/privacy/gaussian_accounting.h"

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "sotto/kernel/discrete_gaussian.h"

namespace sotto {
namespace {

constexpr double kTiny = 0x1p-60;  // the ends of the searches below
constexpr double kHuge = 0x1p20;

double at_most_one(double bound) { return bound < 1 ? bound : 1; }  // NaN becomes 1

// A quotient of integers below 2^53 is correctly rounded: one step down is below its true value.
double below(const Rational& value) { return std::nextafter(value.to_double(), 0); }

// (1 − Φ(x))/φ(x), Mills' ratio, for x > −30. Beyond 5 the continued fraction [AS64, 26.2.14] is exact to rounding.
double mills_ratio(double x) {
  if (x < 5) return std::sqrt(std::numbers::pi / 2) * std::exp(x * x / 2) * std::erfc(x / std::numbers::sqrt2);
  double tail = 0;
  for (int k = 60; k > 0; --k) tail = k / (x + tail);
  return 1 / (x + tail);
}

// A number that has the property, as close as doubles allow to one that has not, between positive `good` and `bad`.
template <typename Property>
double last_with(Property property, double good, double bad) {
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(good) * std::sqrt(bad);
    (property(middle) ? good : bad) = middle;
  }
  return good;
}

// Neither by a stream nor by std::to_chars, whose locales and tables would be half of a device's library.
std::string text_of(double value) {
  char digits[32];
  return {digits, static_cast<std::size_t>(std::snprintf(digits, sizeof(digits), "%g", value))};
}
std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(std::string text) { return text; }

template <typename... Parts>
Error invalid(const Parts&... parts) {
  return refuse((text_of(parts) + ...));
}

Status check(double sensitivity, double sigma, const Delta& delta) {
  if (!(sensitivity > 0) || std::isinf(sensitivity)) return invalid("sensitivity: must be above 0, got ", sensitivity);
  if (!(sigma > 0) || std::isinf(sigma)) return invalid("sigma: must be above 0, got ", sigma);
  if (!delta.is_zero() && delta.to_double() < 1) return {};
  return invalid("delta: Gaussian noise needs one above 0 and below 1, got ", delta.to_string());
}

}  // namespace

double gaussian_delta(double epsilon, double sensitivity_over_sigma) {
  const double r = sensitivity_over_sigma;
  if (!(epsilon >= 0 && r > 0)) return 1;
  // With a, b = ε/r ∓ r/2 we have e^ε·φ(b) = φ(a), so δ = φ(a)·(mills(a) − mills(b)): neither overflow nor e^ε.
  const double a = epsilon / r - r / 2;
  const double b = epsilon / r + r / 2;
  if (a < -30) return 1;                       // 1 − δ < 1e−190
  const double slack = (b * b + 8) * 0x1p-50;  // bounds the relative error of each of the three factors
  const double density = std::exp(-a * a / 2) / std::sqrt(2 * std::numbers::pi);
  const double difference = mills_ratio(a) * (1 + slack) - mills_ratio(b) * (1 - slack);
  return at_most_one(density * difference * (1 + slack) + DBL_MIN);
}

Result<double> gaussian_sigma(double sensitivity, const Epsilon& epsilon, const Delta& delta) {
  if (const Status status = check(sensitivity, 1, delta); !status) return status.error();
  const auto private_enough = [e = below(epsilon.value()), d = below(delta.value())](double ratio) {
    return gaussian_delta(e, ratio) <= d;
  };
  if (!private_enough(kTiny) || private_enough(kHuge))
    return invalid("epsilon: no sigma found at ", epsilon.to_string(), " with delta = ", delta.to_string());
  return std::nextafter(sensitivity / last_with(private_enough, kTiny, kHuge), HUGE_VAL);
}

Result<double> gaussian_epsilon(double sensitivity, double sigma, const Delta& delta) {
  if (const Status status = check(sensitivity, sigma, delta); !status) return status.error();
  const double ratio = std::nextafter(sensitivity / sigma, HUGE_VAL);
  const auto private_enough = [ratio, d = below(delta.value())](double e) { return gaussian_delta(e, ratio) <= d; };
  if (!private_enough(kHuge)) return invalid("sigma: epsilon would be above 2^20 at sensitivity/sigma = ", ratio);
  return last_with(private_enough, kHuge, kTiny);
}

double zcdp_delta(double rho, double epsilon) {
  if (!(rho > 0 && epsilon >= 0)) return 1;
  // Any α = 1 + t > 1 gives a bound; its logarithm is convex in t, and least where the slope changes sign.
  const auto still_falling = [=](double t) { return (2 * t + 1) * rho - epsilon - std::log1p(1 / t) < 0; };
  const double t = last_with(still_falling, kTiny, (epsilon + 1) / rho + 1);
  const double entropy = t * std::log1p(1 / t) + std::log1p(t);
  const double log_bound = t * ((t + 1) * rho - epsilon) - entropy;
  const double rounding = (t * ((t + 1) * rho + epsilon) + entropy + 1) * 0x1p-48;
  return at_most_one(std::exp(log_bound + rounding) + DBL_MIN);
}

Result<std::uint64_t> discrete_gaussian_variance(std::uint64_t squared_sensitivity, const Epsilon& epsilon,
                                                 const Delta& delta) {
  if (squared_sensitivity == 0) return invalid("squared sensitivity: must be at least 1, got 0");
  if (epsilon.to_double() > 1024) return invalid("epsilon: must be at most 1024, got ", epsilon.to_string());
  if (const Status status = check(1, 1, delta); !status) return status.error();
  // The sampler's own distance from the ideal law, (1 + e^ε)·d·exp(−2^20), hides many times over in 2^−40·δ.
  const double target = delta.to_double() * (1 - 0x1p-40);
  const auto private_enough = [&, e = below(epsilon.value())](std::uint64_t variance) {
    const double rho = static_cast<double>(squared_sensitivity) / (2 * static_cast<double>(variance));
    return zcdp_delta(rho * (1 + 0x1p-50), e) <= target;
  };
  std::uint64_t too_small = 0;
  std::uint64_t enough = DiscreteGaussian::kMaxNumerator;
  if (!private_enough(enough))
    return invalid("resolution: too fine, the noise needs a variance above 2^50 at squared sensitivity ",
                   squared_sensitivity, ", epsilon = ", epsilon.to_string(), ", delta = ", delta.to_string());
  while (enough - too_small > 1) {
    const std::uint64_t middle = too_small + (enough - too_small) / 2;
    (private_enough(middle) ? enough : too_small) = middle;
  }
  return enough;
}

}  // namespace sotto
