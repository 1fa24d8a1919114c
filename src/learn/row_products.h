// The two products of a denoising pass: weights of a few reports and many points, with a column of all points.
#pragma once

#include <cstddef>
#include <span>

namespace sotto {

// Reports × points, row by row.
struct WeightBlock {
  std::span<const float> values;
  std::size_t reports, points;
};

// sums[report] = Σ over points of weight · column
void sum_over_points(const WeightBlock& weights, std::span<const float> column, std::span<float> sums);

// column[point] += Σ over reports of factor · weight
void add_over_reports(const WeightBlock& weights, std::span<const float> factors, std::span<float> column);

}  // namespace sotto
