#include "sotto/train/l1_projection.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace sotto {
namespace {

TEST(L1Projection, LeavesPointsInsideAloneAndBringsOthersToTheSurface) {
  std::array<float, 6> points{1, -1, 0.5F, 6, -3, 3};
  project_to_l1_ball(3, 3, points);
  EXPECT_EQ(points, (std::array<float, 6>{1, -1, 0.5F, 1.5F, -0.75F, 0.75F}));
  EXPECT_DOUBLE_EQ(mean_l1_norm(3, points), 2.75);
}

TEST(L1Projection, HasTheGradientThatDifferencesShow) {
  constexpr float kStep = 1e-3F, kRadius = 3;
  const std::array<float, 3> weights{0.3F, -1.2F, 2};
  for (const std::array<float, 3> point : {std::array<float, 3>{1, 0.5F, -0.25F}, {4, -2, 1}, {-1, 3, 2}}) {
    const auto value = [&](std::array<float, 3> at) {
      project_to_l1_ball(kRadius, 3, at);
      return weights[0] * at[0] + weights[1] * at[1] + weights[2] * at[2];
    };
    std::array<float, 3> gradient = weights;
    chain_l1_projection(kRadius, 3, point, gradient);
    for (std::size_t i = 0; i < 3; ++i) {
      auto above = point, below = point;
      above[i] += kStep;
      below[i] -= kStep;
      EXPECT_NEAR(gradient[i], (value(above) - value(below)) / (2 * kStep), 2e-3);
    }
  }
}

}  // namespace
}  // namespace sotto
