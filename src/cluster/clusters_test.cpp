#include "sotto/cluster/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kWidth = 5;

std::vector<float> draw_cloud(std::size_t count, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  std::vector<float> points(count * kWidth);
  for (float& value : points) value = draw_standard_laplace(entropy);
  return points;
}

// Blob k lies around 10 on coordinate k; points take turns.
std::vector<float> draw_blobs(std::size_t count) {
  std::vector<float> points = draw_cloud(count, 1);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < kWidth; ++i) points[row * kWidth + i] *= 0.2F;
    points[row * kWidth + row % kWidth] += 10;
  }
  return points;
}

TEST(Clusters, RecoverBlobsThatLieApart) {
  const auto points = draw_blobs(503);
  const Clusters clusters = find_clusters(points, kWidth, {.count = kWidth, .iterations = 50, .seed = 3});
  ASSERT_EQ(clusters.size(), kWidth);
  std::set<std::uint32_t> used;
  for (std::size_t blob = 0; blob < kWidth; ++blob) {
    const std::uint32_t cluster = clusters.member_of[blob];
    used.insert(cluster);
    for (std::size_t row = blob; row < 503; row += kWidth) EXPECT_EQ(clusters.member_of[row], cluster);
    for (std::size_t i = 0; i < kWidth; ++i)
      EXPECT_NEAR(clusters.centroids[cluster * kWidth + i], i == blob ? 10 : 0, 0.2);
  }
  EXPECT_EQ(used.size(), kWidth);
}

TEST(Clusters, CountTheirMembers) {
  const auto points = draw_blobs(503);
  const Clusters clusters = find_clusters(points, kWidth, {.count = kWidth, .iterations = 50, .seed = 3});
  const auto sizes = clusters.sizes();
  for (std::size_t blob = 0; blob < kWidth; ++blob)
    EXPECT_EQ(sizes[clusters.member_of[blob]], blob < 503 % kWidth ? 101U : 100U);
}

TEST(Clusters, EndWithEachCentroidAtTheMeanOfItsMembers) {
  const auto points = draw_cloud(400, 2);
  const Clusters clusters = find_clusters(points, kWidth, {.count = 7, .iterations = 1000, .seed = 3});
  EXPECT_EQ(clusters.member_of, nearest_centroids(points, kWidth, clusters.centroids));
  std::vector<double> sums(clusters.centroids.size());
  for (std::size_t row = 0; row < 400; ++row)
    for (std::size_t i = 0; i < kWidth; ++i)
      sums[clusters.member_of[row] * kWidth + i] += static_cast<double>(points[row * kWidth + i]);
  const auto sizes = clusters.sizes();
  for (std::size_t i = 0; i < sums.size(); ++i)
    EXPECT_NEAR(clusters.centroids[i], sums[i] / static_cast<double>(sizes[i / kWidth]), 1e-5);
}

TEST(Clusters, AreFewerThanAskedForWhenPointsRepeat) {
  const std::vector<float> points{1, 2, 3, 4, 1, 2, 3, 4, 1, 2};  // two distinct points of two coordinates
  const Clusters clusters = find_clusters(points, 2, {.count = 4, .iterations = 10, .seed = 1});
  EXPECT_EQ(clusters.size(), 2U);
  EXPECT_EQ(clusters.member_of[0], clusters.member_of[2]);
  EXPECT_NE(clusters.member_of[0], clusters.member_of[1]);
}

TEST(Clusters, AreTheSameForTheSameSeed) {
  const auto points = draw_cloud(400, 2);
  const Clusters first = find_clusters(points, kWidth, {.count = 7, .iterations = 20, .seed = 3}),
                 second = find_clusters(points, kWidth, {.count = 7, .iterations = 20, .seed = 3});
  EXPECT_EQ(first.centroids, second.centroids);
  EXPECT_EQ(first.member_of, second.member_of);
  EXPECT_NE(find_clusters(points, kWidth, {.count = 7, .iterations = 20, .seed = 4}).centroids, first.centroids);
}

// One long cloud whose density falls off: nine points near the origin for each one further out.
TEST(Clusters, AreOfMoreEvenSizesWhenTheyPayForThem) {
  SeededEntropy entropy(6);
  std::vector<float> points(4000);
  for (float& value : points) {
    value = draw_uniform(entropy);
    if (draw_uniform(entropy) < 0.9F) value *= 0.2F;
  }
  const auto largest_share = [&](bool balanced) {
    const auto sizes =
        find_clusters(points, 1, {.count = 4, .iterations = 200, .restarts = 3, .balanced = balanced, .seed = 1})
            .sizes();
    return static_cast<double>(*std::max_element(sizes.begin(), sizes.end())) / 4000;
  };
  EXPECT_GT(largest_share(false), 0.45);
  EXPECT_LT(largest_share(true), 0.36);
}

TEST(NearestCentroids, CountOffsetsAsSquaredDistances) {
  const std::vector<float> points{0.9F, 1.4F, 1.6F}, centroids{0, 2};
  EXPECT_EQ(nearest_centroids(points, 1, centroids), (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(nearest_centroids(points, 1, centroids, std::vector<float>{0, 2}), (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(NearestCentroids, AreThoseOfBruteForce) {
  const auto points = draw_cloud(601, 4), centroids = draw_cloud(23, 5);
  const auto nearest = nearest_centroids(points, kWidth, centroids);
  ASSERT_EQ(nearest.size(), 601U);
  for (std::size_t row = 0; row < nearest.size(); ++row) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t c = 0; c < 23; ++c) {
      double distance = 0;
      for (std::size_t i = 0; i < kWidth; ++i)
        distance += std::pow(static_cast<double>(points[row * kWidth + i]) - centroids[c * kWidth + i], 2);
      if (distance < least) least = distance, best = c;
    }
    EXPECT_EQ(nearest[row], best);
  }
}

TEST(NearestCentroids, PreferTheFirstOfEquals) {
  const std::vector<float> point{0, 0}, centroids{1, 0, 0, 1, 1, 0};
  EXPECT_EQ(nearest_centroids(point, 2, centroids), std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace sotto
