// Whatever an encoder returns, a constraint must answer with a point of its domain: this feeds it what no encoder
// should return, and looks.
#pragma once

#include <cstdint>

#include "sotto/constraint/constraint.h"
#include "sotto/kernel/entropy.h"

namespace sotto {

struct ConstraintAudit {
  std::uint64_t inputs;
  std::uint64_t escapes;  // inputs after which the point lay outside the domain; each one voids the claim
};

// Inputs are of three kinds: any bits at all, which includes NaN, infinities, denormals and 1e38; ordinary numbers of
// one common size, from far inside to far outside the domain; and ordinary numbers with one wild one among them.
ConstraintAudit audit_constraint(const Constraint& constraint, std::uint64_t inputs, Entropy& entropy);

}  // namespace sotto
