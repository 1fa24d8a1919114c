// Norm balls on the integer lattice: ν(z) of [Man21, Eq. 4], in integers. The radius belongs to the encoder's scale
// only; the domain and every privacy argument know the resolution G alone.
#pragma once

#include <memory>

#include "sotto/constraint/constraint.h"

namespace sotto {

// z ↦ k with k_i ≈ z_i·G/radius and Σ|k_i| ≤ G. Outside the ball z is scaled back to its surface.
Result<std::unique_ptr<Constraint>> make_l1_lattice(L1Ball ball, double l1_radius);

// z ↦ k with k_i ≈ z_i·G/radius and Σ k_i² ≤ G².
Result<std::unique_ptr<Constraint>> make_l2_lattice(L2Ball ball, double l2_radius);

// The integer half of the two, which carries the guarantee: scales k towards zero until it lies in the ball.
// Precondition: |k_i| ≤ 2^21, at most 2^20 coordinates.
void shrink_into_l1_ball(std::span<std::int64_t> k, std::int64_t resolution);
void shrink_into_l2_ball(std::span<std::int64_t> k, std::int64_t resolution);

}  // namespace sotto
