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
// 0.007, so that an honest sampler is refused once in a million.
template <class Draw>
bool has_the_moments_of_a_standard_laplace(Draw draw) {
  constexpr int kDraws = 1'000'000;
  double sum = 0, absolute = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto value = static_cast<double>(draw());
    sum += value;
    absolute += std::abs(value);
  }
  return std::abs(sum / kDraws) < 0.0071 && std::abs(absolute / kDraws - 1) < 0.005;
}

TEST(TrainingNoise, HasTheMomentsOfAStandardLaplace) {
  SeededEntropy entropy(2);
  EXPECT_TRUE(has_the_moments_of_a_standard_laplace([&] { return draw_standard_laplace(entropy); }));
}

TEST(TrainingNoise, OfAnotherScaleShapeOrCentreIsFound) {
  SeededEntropy entropy(3);
  EXPECT_FALSE(has_the_moments_of_a_standard_laplace([&] { return 1.02F * draw_standard_laplace(entropy); }));
  EXPECT_FALSE(has_the_moments_of_a_standard_laplace([&] { return std::sqrt(2.0F) * draw_standard_normal(entropy); }));
  EXPECT_FALSE(has_the_moments_of_a_standard_laplace([&] { return draw_standard_laplace(entropy) + 0.02F; }));
}

}  // namespace
}  // namespace sotto
