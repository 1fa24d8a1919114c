#include "sotto/backprop/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto {
namespace {

TEST(TrainingNoise, IsAlwaysFiniteAndInsideItsInterval) {
  SeededEntropy entropy(1);
  for (int i = 0; i < 1'000'000; ++i) {
    const float uniform = draw_uniform(entropy);
    ASSERT_GT(uniform, 0);
    ASSERT_LT(uniform, 1);
    ASSERT_TRUE(std::isfinite(draw_standard_laplace(entropy)));
  }
}

// Mean of |x| is 1 with variance 1, mean of x is 0 with variance 2: with 10^6 draws five standard errors are 0.005 and
// 0.007. A Laplace of scale 1.01, or a normal of the same variance (mean of |x| 1.128), would be found.
TEST(TrainingNoise, HasTheMomentsOfAStandardLaplace) {
  SeededEntropy entropy(2);
  constexpr int kDraws = 1'000'000;
  double sum = 0, absolute = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = draw_standard_laplace(entropy);
    sum += draw;
    absolute += std::abs(draw);
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.0071);
  EXPECT_NEAR(absolute / kDraws, 1, 0.005);
}

}  // namespace
}  // namespace sotto
