// Records feature by feature, without an encoder: the domain of the per-feature benchmarks [Man21, D.2].
#pragma once

#include <memory>
#include <vector>

#include "sotto/constraint/constraint.h"

namespace sotto {

// A number with public bounds, or (categories > 0) an index below `categories`.
struct FeatureBounds {
  double minimum = 0;
  double maximum = 1;
  std::int64_t categories = 0;
};

// Numbers become 0 … resolution by position between their bounds (outside: the nearer bound; NaN: the middle);
// a category index outside its range becomes category 0.
Result<std::unique_ptr<Constraint>> make_feature_box(std::vector<FeatureBounds> features, std::int64_t resolution);

}  // namespace sotto
