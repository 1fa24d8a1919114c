// From untrusted floats to small integers: the step before the integer checks, shared by the lattice constraints.
#pragma once

#include <cstdint>
#include <span>

#include "sotto/kernel/result.h"

namespace sotto {

// A non-finite coordinate counts as 0.
double finite_or_zero(float value);

double l1_norm(std::span<const float> z);
double l2_norm(std::span<const float> z);

// k_i = trunc(z_i·resolution / max(radius, norm)), clamped to ±resolution.
void round_to_lattice(std::span<const float> z, double norm, double radius, std::int64_t resolution,
                      std::span<std::int64_t> k);

Status validate_radius(const char* name, double radius);

}  // namespace sotto
