#include "sotto/cluster/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/backprop/gemm.h"
#include "sotto/backprop/lanes.h"
#include "sotto/backprop/random.h"

namespace sotto {
namespace {

std::span<const float> row_of(std::span<const float> matrix, std::size_t width, std::size_t row) {
  return matrix.subspan(row * width, width);
}

float squared_distance(std::span<const float> left, std::span<const float> right) {
  float sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += (left[i] - right[i]) * (left[i] - right[i]);
  return sum;
}

// Each next seed is drawn with probability proportional to its squared distance from those before [AV07].
std::vector<float> draw_seeds(std::span<const float> points, std::size_t width, std::size_t count,
                              SeededEntropy& entropy) {
  const std::size_t rows = points.size() / width;
  std::vector<float> seeds, distances(rows, std::numeric_limits<float>::max());
  std::size_t next = entropy.take<std::uint64_t>() % rows;
  while (seeds.size() < count * width) {
    const auto seed = row_of(points, width, next);
    seeds.insert(seeds.end(), seed.begin(), seed.end());
    run_lanes([&](Lane& lane) {
      const auto part = lane.part_of(rows);
      for (std::size_t row = part.begin; row < part.end; ++row)
        distances[row] = std::min(distances[row], squared_distance(row_of(points, width, row), seed));
    });
    double total = 0;
    for (const float distance : distances) total += static_cast<double>(distance);
    if (total <= 0) break;
    double threshold = static_cast<double>(draw_uniform(entropy)) * total;
    for (next = 0; next + 1 < rows; ++next)
      if ((threshold -= static_cast<double>(distances[next])) < 0) break;
  }
  return seeds;
}

void move_to_means(std::span<const float> points, Clusters& clusters) {
  std::vector<double> sums(clusters.centroids.size(), 0);
  const std::vector<std::size_t> sizes = clusters.sizes();
  for (std::size_t row = 0; row < clusters.member_of.size(); ++row)
    for (std::size_t i = 0; i < clusters.width; ++i)
      sums[clusters.member_of[row] * clusters.width + i] += static_cast<double>(points[row * clusters.width + i]);
  for (std::size_t i = 0; i < sums.size(); ++i)  // a cluster that lost all its points stays where it is
    if (const std::size_t size = sizes[i / clusters.width]; size > 0)
      clusters.centroids[i] = static_cast<float>(sums[i] / static_cast<double>(size));
}

double spread_of(std::span<const float> points, const Clusters& clusters) {
  double sum = 0;
  for (std::size_t row = 0; row < clusters.member_of.size(); ++row)
    sum += static_cast<double>(squared_distance(row_of(points, clusters.width, row),
                                                row_of(clusters.centroids, clusters.width, clusters.member_of[row])));
  return sum;
}

// Large clusters pay more, and lose points to small ones.
void raise_prices(float unit, Clusters& clusters) {
  const auto sizes = clusters.sizes();
  const auto even = static_cast<float>(clusters.member_of.size()) / static_cast<float>(sizes.size());
  for (std::size_t c = 0; c < sizes.size(); ++c)
    clusters.offsets[c] += unit * (static_cast<float>(sizes[c]) / even - 1);
}

Clusters settle(std::span<const float> points, std::size_t width, const ClusterOptions& options,
                SeededEntropy& entropy) {
  Clusters clusters{width, draw_seeds(points, width, options.count, entropy), {}, {}};
  clusters.member_of = nearest_centroids(points, width, clusters.centroids);
  if (options.balanced) clusters.offsets.assign(clusters.size(), 0);
  // Of prices: the mean squared distance of a point from its centroid.
  const auto unit = static_cast<float>(spread_of(points, clusters) / static_cast<double>(clusters.member_of.size()));
  for (std::size_t i = 0; i < options.iterations; ++i) {
    move_to_means(points, clusters);
    if (options.spherical) normalise_rows(clusters.centroids, width);
    if (options.balanced) raise_prices(unit / 5, clusters);
    auto next = nearest_centroids(points, width, clusters.centroids, clusters.offsets);
    if (!options.balanced && next == clusters.member_of) break;  // prices go on rising while nobody moves
    clusters.member_of = std::move(next);
  }
  return clusters;
}

}  // namespace

void normalise_rows(std::span<float> rows, std::size_t width) {
  for (std::size_t row = 0; row < rows.size(); row += width) {
    float square = 0;
    for (const float value : rows.subspan(row, width)) square += value * value;
    if (square <= 0) continue;
    const float scale = 1 / std::sqrt(square);
    for (float& value : rows.subspan(row, width)) value *= scale;
  }
}

std::vector<std::size_t> Clusters::sizes() const {
  std::vector<std::size_t> sizes(size(), 0);
  for (const std::uint32_t cluster : member_of) ++sizes[cluster];
  return sizes;
}

std::vector<std::uint32_t> nearest_centroids(std::span<const float> points, std::size_t width,
                                             std::span<const float> centroids, std::span<const float> offsets) {
  constexpr std::size_t kBlock = 256;
  const std::size_t rows = points.size() / width, count = centroids.size() / width;
  std::vector<float> half_norms(count);
  for (std::size_t c = 0; c < count; ++c) {
    if (!offsets.empty()) half_norms[c] = offsets[c] / 2;
    for (const float value : row_of(centroids, width, c)) half_norms[c] += value * value / 2;
  }
  std::vector<std::uint32_t> nearest(rows);
  run_lanes([&](Lane& lane) {
    std::vector<float> products(kBlock * count);
    const auto part = lane.part_of(rows);
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlock) {
      const std::size_t block = std::min(kBlock, part.end - begin);
      // The nearest has the largest x·c − |c|²/2.
      for (std::size_t row = 0; row < block; ++row)
        for (std::size_t c = 0; c < count; ++c) products[row * count + c] = -half_norms[c];
      multiply({points.data() + begin * width, block, width}, MatrixView{centroids.data(), count, width}.transpose(), 1,
               products.data());
      for (std::size_t row = 0; row < block; ++row) {
        const float* scores = products.data() + row * count;
        nearest[begin + row] = static_cast<std::uint32_t>(std::max_element(scores, scores + count) - scores);
      }
    }
  });
  return nearest;
}

Clusters find_clusters(std::span<const float> points, std::size_t width, const ClusterOptions& options) {
  std::vector<float> directions;
  if (options.spherical) {
    directions.assign(points.begin(), points.end());
    normalise_rows(directions, width);
    points = directions;
  }
  Clusters best;
  double least = std::numeric_limits<double>::infinity();
  SeededEntropy entropy(options.seed);
  for (std::size_t i = 0; i < std::max<std::size_t>(options.restarts, 1); ++i) {
    Clusters clusters = settle(points, width, options, entropy);
    if (const double spread = spread_of(points, clusters); spread < least) {
      least = spread;
      best = std::move(clusters);
    }
  }
  return best;
}

}  // namespace sotto
