// k-means: centroids that stand for many points, and which point belongs to which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sotto {

struct Clusters {
  std::size_t width = 0;
  std::vector<float> centroids;          // one after another
  std::vector<std::uint32_t> member_of;  // for each point, its nearest centroid
  std::size_t size() const { return centroids.size() / width; }
  std::vector<std::size_t> sizes() const;
};

// Lloyd's iterations from k-means++ seeds. Gives fewer clusters than `count` when there are fewer distinct points.
Clusters find_clusters(std::span<const float> points, std::size_t width, std::size_t count, std::size_t iterations,
                       std::uint64_t seed);

// The nearest centroid of each point, ties to the first.
std::vector<std::uint32_t> nearest_centroids(std::span<const float> points, std::size_t width,
                                             std::span<const float> centroids);

}  // namespace sotto
