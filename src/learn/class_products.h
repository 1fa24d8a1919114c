// The two matrix products of a denoising pass: few reports, many points, a handful of classes. A general library spends
// more time there on copying the weights into its own layout than on multiplying.
#pragma once

#include <cstddef>
#include <span>

namespace sotto {

// Reports × points of one block, row by row.
struct WeightBlock {
  std::span<const float> values;
  std::size_t reports, points;
};

// sums (reports × classes) = weights · jointᵀ, with `joint` classes × points.
void sum_over_points(const WeightBlock& weights, std::span<const float> joint, std::span<float> sums);

// gradient (classes × points) += factorsᵀ · weights, with `factors` reports × classes.
void add_over_reports(const WeightBlock& weights, std::span<const float> factors, std::span<float> gradient);

}  // namespace sotto
