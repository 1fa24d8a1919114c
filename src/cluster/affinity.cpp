#include "sotto/cluster/affinity.h"

#include <cmath>

namespace sotto {
namespace {

// How fast affinity falls off with the squared distance of two centres, in units of their clusters' spreads.
constexpr double kSteepness = 4;

struct Scatter {
  std::vector<double> centres;  // clusters × width
  std::vector<double> sizes;
  std::vector<double> spreads;  // mean squared distance of a cluster's points from its centre
};

double squared_distance(std::span<const double> left, std::span<const double> right) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += (left[i] - right[i]) * (left[i] - right[i]);
  return sum;
}

Scatter scatter_of(std::span<const float> points, std::size_t width, std::span<const std::uint32_t> cluster_of,
                   std::size_t clusters) {
  Scatter scatter{std::vector<double>(clusters * width, 0), std::vector<double>(clusters, 0),
                  std::vector<double>(clusters, 0)};
  for (std::size_t row = 0; row < cluster_of.size(); ++row) {
    ++scatter.sizes[cluster_of[row]];
    for (std::size_t i = 0; i < width; ++i)
      scatter.centres[cluster_of[row] * width + i] += static_cast<double>(points[row * width + i]);
  }
  for (std::size_t i = 0; i < scatter.centres.size(); ++i)
    if (scatter.sizes[i / width] > 0) scatter.centres[i] /= scatter.sizes[i / width];
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint32_t cluster = cluster_of[i / width];
    const double away = static_cast<double>(points[i]) - scatter.centres[cluster * width + i % width];
    scatter.spreads[cluster] += away * away / scatter.sizes[cluster];
  }
  return scatter;
}

}  // namespace

std::vector<float> cluster_affinities(std::span<const float> points, std::size_t width,
                                      std::span<const std::uint32_t> cluster_of, std::size_t clusters) {
  const Scatter scatter = scatter_of(points, width, cluster_of, clusters);
  const auto centre = [&](std::size_t cluster) { return std::span(scatter.centres).subspan(cluster * width, width); };
  std::vector<float> affinities(clusters * clusters, 0);
  for (std::size_t i = 0; i < clusters; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double spread = scatter.spreads[i] + scatter.spreads[j];
      if (scatter.sizes[i] == 0 || scatter.sizes[j] == 0 || spread == 0) continue;
      const auto affinity = static_cast<float>(std::exp(-kSteepness * squared_distance(centre(i), centre(j)) / spread));
      affinities[i * clusters + j] = affinities[j * clusters + i] = affinity;
    }
  return affinities;
}

}  // namespace sotto
