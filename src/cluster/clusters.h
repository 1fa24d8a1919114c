// k-means: centroids that stand for many points, and which point belongs to which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sotto {

struct Clusters {
  std::size_t width = 0;
  std::vector<float> centroids;          // one after another
  std::vector<float> offsets;            // of balanced clusters, counted as squared distances; else none
  std::vector<std::uint32_t> member_of;  // for each point, its nearest centroid
  std::size_t size() const { return centroids.size() / width; }
  std::vector<std::size_t> sizes() const;
};

struct ClusterOptions {
  std::size_t count = 10;
  std::size_t iterations = 50;  // at most
  std::size_t restarts = 1;     // the one with the smallest spread is kept
  bool spherical = false;       // compare directions: points and centroids are taken at length 1
  bool balanced = false;        // clusters pay offsets for their size, which evens out the sizes
  std::uint64_t seed = 1;
};

// Lloyd's iterations from k-means++ seeds. Gives fewer clusters than asked for when there are fewer distinct points.
Clusters find_clusters(std::span<const float> points, std::size_t width, const ClusterOptions& options);

// The nearest centroid of each point, ties to the first. Offsets, if there are any, count as squared distances.
std::vector<std::uint32_t> nearest_centroids(std::span<const float> points, std::size_t width,
                                             std::span<const float> centroids, std::span<const float> offsets = {});

// Brings rows to length 1, except those of zeros.
void normalise_rows(std::span<float> rows, std::size_t width);

}  // namespace sotto
