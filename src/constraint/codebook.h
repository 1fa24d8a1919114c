// The nearest of k public centroids: turns any encoding into one of k categories.
#pragma once

#include <memory>
#include <vector>

#include "sotto/constraint/constraint.h"

namespace sotto {

// `centroids` holds k rows of `width` finite floats. Distance is Euclidean, non-finite coordinates count as 0, ties go
// to the lower index.
Result<std::unique_ptr<Constraint>> make_codebook(std::vector<float> centroids, std::size_t width);

}  // namespace sotto
