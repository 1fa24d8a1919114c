#include "sotto/constraint/lattice_rounding.h"

#include <algorithm>
#include <cmath>
#include <string>

#if __FINITE_MATH_ONLY__
#error "sotto: -ffast-math lets NaN and infinity pass unseen; build without it"
#endif

namespace sotto {

double finite_or_zero(float value) { return std::isfinite(value) ? static_cast<double>(value) : 0.0; }

double l1_norm(std::span<const float> z) {
  double norm = 0;
  for (const float value : z) norm += std::abs(finite_or_zero(value));
  return norm;
}

double l2_norm(std::span<const float> z) {
  double squares = 0;  // of floats: at most 2^20 · (2^128)², far below the largest double
  for (const float value : z) squares += finite_or_zero(value) * finite_or_zero(value);
  return std::sqrt(squares);
}

void round_to_lattice(std::span<const float> z, double norm, double radius, std::int64_t resolution,
                      std::span<std::int64_t> k) {
  const double scale = static_cast<double>(resolution) / std::max(radius, norm);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto rounded = static_cast<std::int64_t>(finite_or_zero(z[i]) * scale);  // |z_i| ≤ norm: at most 2^20 + 1
    k[i] = std::clamp(rounded, -resolution, resolution);
  }
}

Status validate_radius(const char* name, double radius) {
  if (!(radius >= 1e-6 && radius <= 1e6))
    return refuse(std::string(name) + ": must lie between 1e-6 and 1e6, got " + std::to_string(radius));
  return {};
}

}  // namespace sotto
