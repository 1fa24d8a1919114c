// The nearest of k public centroids: turns any encoding into one of k categories.
#pragma once

#include <memory>
#include <vector>

#include "sotto/constraint/constraint.h"

namespace sotto {

// `centroids` holds k rows of `width` finite floats. The code is the row with the smallest squared Euclidean distance
// plus the row's offset (none: zero), so that every linear rule for telling codes apart can be written this way.
// Non-finite coordinates count as 0, ties go to the lower index. `distances` between the codes, if any, are those of
// the domain.
Result<std::unique_ptr<Constraint>> make_codebook(std::vector<float> centroids, std::size_t width,
                                                  std::vector<std::uint8_t> distances = {},
                                                  std::vector<float> offsets = {});

}  // namespace sotto
