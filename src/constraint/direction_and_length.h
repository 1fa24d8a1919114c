// A vector split into its direction on the sphere and its length, the domain of PrivUnit₂ with ScalarDP [Bho19].
#pragma once

#include <memory>

#include "sotto/constraint/constraint.h"

namespace sotto {

// Lengths beyond max_length count as max_length. A vector without a direction gets the first axis, with length 0.
Result<std::unique_ptr<Constraint>> make_direction_and_length(DirectionAndLength domain, double max_length);

}  // namespace sotto
