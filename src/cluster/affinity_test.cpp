#include "sotto/cluster/affinity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto {
namespace {

// Four clusters of two points each on a line, one unit on either side of their centres; a fifth has none.
constexpr std::size_t kClusters = 5;
const std::vector<float> kPoints = {-1, 1, 0, 2, 0, 2, 99, 101};
const std::vector<std::uint32_t> kClusterOf = {0, 0, 1, 1, 2, 2, 3, 3};

float affinity(std::span<const float> all, std::size_t i, std::size_t j) { return all[i * kClusters + j]; }

TEST(ClusterAffinities, FallOffWithDistanceInUnitsOfTheSpread) {
  const auto all = cluster_affinities(kPoints, 1, kClusterOf, kClusters);
  EXPECT_FLOAT_EQ(affinity(all, 1, 2), 1) << "one centre";
  EXPECT_FLOAT_EQ(affinity(all, 0, 1), std::exp(-2.0F)) << "a distance of 1, spreads of 1 each: exp(-4 · 1/2)";
  EXPECT_LT(affinity(all, 0, 3), 1e-30);
  for (std::size_t i = 0; i < kClusters; ++i)
    for (std::size_t j = 0; j < kClusters; ++j) EXPECT_EQ(affinity(all, i, j), affinity(all, j, i));
}

TEST(ClusterAffinities, DoNotDependOnTheUnit) {
  std::vector<float> in_other_units = kPoints;
  for (float& value : in_other_units) value *= 0.25F;
  EXPECT_EQ(cluster_affinities(in_other_units, 1, kClusterOf, kClusters),
            cluster_affinities(kPoints, 1, kClusterOf, kClusters));
}

TEST(ClusterAffinities, AreNoneWithItselfOrWithoutPoints) {
  const auto all = cluster_affinities(kPoints, 1, kClusterOf, kClusters);
  for (std::size_t i = 0; i < kClusters; ++i) {
    EXPECT_EQ(affinity(all, i, i), 0);
    EXPECT_EQ(affinity(all, i, 4), 0);
  }
}

TEST(ClusterAffinities, AreNoneBetweenSinglePoints) {
  EXPECT_EQ(cluster_affinities(std::vector<float>{3, 3}, 1, std::vector<std::uint32_t>{0, 1}, 2),
            std::vector<float>(4, 0));
}

}  // namespace
}  // namespace sotto
