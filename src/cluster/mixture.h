// A mixture of Gaussians with one common covariance, by expectation-maximisation from k-means. Its most probable
// component is a linear rule, so that it costs no more to apply than k-means.
#pragma once

#include <cstdint>
#include <span>

#include "sotto/cluster/linear_rule.h"

namespace sotto {

struct MixtureOptions {
  std::size_t count = 10;
  std::size_t restarts = 1;  // of the k-means that it starts from
  std::uint64_t seed = 1;
  std::size_t iterations = 30;
};

// Fewer components than asked for when there are fewer distinct points.
LinearRule fit_mixture(std::span<const float> points, std::size_t width, const MixtureOptions& options);

}  // namespace sotto
