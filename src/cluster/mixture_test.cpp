#include "sotto/cluster/mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/backprop/random.h"
#include "sotto/cluster/clusters.h"

namespace sotto {
namespace {

// Two parallel cigars, ten times as long as they are apart: k-means cuts across them.
std::vector<float> draw_cigars(std::size_t count) {
  SeededEntropy entropy(1);
  std::vector<float> points;
  for (std::size_t row = 0; row < count; ++row) {
    const float side = row % 2 == 0 ? 0.5F : -0.5F;
    const float along = 5 * draw_standard_normal(entropy);
    points.insert(points.end(), {along, along + side + 0.1F * draw_standard_normal(entropy)});
  }
  return points;
}

double agreement(const std::vector<std::uint32_t>& members) {
  double even = 0;
  for (std::size_t row = 0; row < members.size(); ++row) even += members[row] == row % 2 ? 1 : 0;
  even /= static_cast<double>(members.size());
  return std::max(even, 1 - even);
}

TEST(Mixture, TellsApartClustersThatAreLongInTheSameDirection) {
  const auto points = draw_cigars(2000);
  const LinearRule rule = fit_mixture(points, 2, {.count = 2, .restarts = 3, .iterations = 200});
  ASSERT_EQ(rule.offsets.size(), 2U);
  EXPECT_GT(agreement(nearest_centroids(points, 2, rule.centroids, rule.offsets)), 0.99);
  EXPECT_LT(agreement(find_clusters(points, 2, {.count = 2, .restarts = 3}).member_of), 0.7);
}

TEST(Mixture, GivesALargerComponentTheLargerShareOfTheMiddle) {
  SeededEntropy entropy(2);
  std::vector<float> points;
  for (std::size_t row = 0; row < 4000; ++row)
    points.push_back((row % 10 == 0 ? 4.0F : 0.0F) + draw_standard_normal(entropy));
  const LinearRule rule = fit_mixture(points, 1, {.count = 2, .restarts = 3, .iterations = 100});
  const auto of = [&](float x) { return nearest_centroids(std::vector<float>{x}, 1, rule.centroids, rule.offsets)[0]; };
  // Nine to one, a distance of four deviations: the border lies at 2 + ln(9)/4 = 2.55.
  EXPECT_EQ(of(0), of(2.3F));
  EXPECT_NE(of(0), of(2.8F));
}

TEST(Mixture, StandsFeaturesThatNeverVary) {
  std::vector<float> points = draw_cigars(500), wider;
  for (std::size_t row = 0; row < 500; ++row)
    wider.insert(wider.end(), {points[2 * row], 1, points[2 * row + 1], points[2 * row]});
  const LinearRule rule = fit_mixture(wider, 4, {.count = 2, .restarts = 3, .iterations = 200});
  for (const float value : rule.centroids) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace sotto
