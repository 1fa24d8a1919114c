// Matrix products of row-major floats, one thread each: threads above this level share out whole products (lanes.h).
#pragma once

#include <cstddef>

namespace sotto {

// A matrix that lives elsewhere. `transposed` reads it as its transpose; rows and columns are those of the result.
struct MatrixView {
  const float* values;
  std::size_t rows, columns;
  bool transposed = false;

  MatrixView transpose() const { return {values, columns, rows, !transposed}; }
};

// product = left·right + keep·product, with product stored as left.rows × right.columns without gaps.
void multiply(MatrixView left, MatrixView right, float keep, float* product);

}  // namespace sotto
