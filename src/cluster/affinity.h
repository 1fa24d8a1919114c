// Which clusters take after one another: neighbours whose centres are no farther apart than their members scatter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sotto {

// clusters × clusters, from 0 for clusters far apart to 1 for those with one centre; a cluster has none with itself,
// nor has an empty one. `points` are rows of `width`; the unit in which they are measured is of no account.
std::vector<float> cluster_affinities(std::span<const float> points, std::size_t width,
                                      std::span<const std::uint32_t> cluster_of, std::size_t clusters);

}  // namespace sotto
