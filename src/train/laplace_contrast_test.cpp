#include "sotto/train/laplace_contrast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/backprop/random.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

constexpr std::size_t kWidth = 3, kPairs = 4;
constexpr float kScale = 0.5F;

struct Fixture {
  std::vector<float> latents, noise;
  LaplaceContrastMemory memory;

  Fixture() {
    SeededEntropy entropy(1);
    for (std::size_t i = 0; i < 2 * kPairs * kWidth; ++i) {
      latents.push_back(2 * draw_uniform(entropy) - 1);
      noise.push_back(kScale * draw_standard_laplace(entropy));
    }
  }
  double loss(std::vector<float>& gradient, float weight = 1) {
    gradient.resize(latents.size());
    return laplace_contrast(latents, kWidth, noise, kScale, weight, memory, gradient);
  }
};

TEST(LaplaceContrast, IsTheMeanSurpriseAtTheSecondView) {
  Fixture fixture;
  std::vector<float> gradient;
  double expected = 0;
  for (std::size_t i = 0; i < 2 * kPairs; ++i) {
    double sum = 0, own = 0;
    for (std::size_t j = 0; j < 2 * kPairs; ++j) {
      double log_likelihood = 0;
      for (std::size_t d = 0; d < kWidth; ++d)
        log_likelihood -= std::abs(static_cast<double>(fixture.latents[i * kWidth + d] + fixture.noise[i * kWidth + d] -
                                                       fixture.latents[j * kWidth + d])) /
                          static_cast<double>(kScale);
      if (j != i) sum += std::exp(log_likelihood);
      if (j == (i + kPairs) % (2 * kPairs)) own = log_likelihood;
    }
    expected += (std::log(sum) - own) / (2 * kPairs);
  }
  EXPECT_NEAR(fixture.loss(gradient), expected, 1e-5);
}

TEST(LaplaceContrast, HasTheGradientThatDifferencesShow) {
  Fixture fixture;
  std::vector<float> gradient, ignored;
  fixture.loss(gradient, 3);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    constexpr float kStep = 1e-3F;
    const float kept = fixture.latents[i];
    fixture.latents[i] = kept + kStep;
    const double above = fixture.loss(ignored);
    fixture.latents[i] = kept - kStep;
    const double below = fixture.loss(ignored);
    fixture.latents[i] = kept;
    EXPECT_NEAR(gradient[i], 3 * (above - below) / (2 * static_cast<double>(kStep)), 5e-3) << i;
  }
}

TEST(LaplaceContrast, FallsWhenPairsAreTogetherAndApartFromOthers) {
  Fixture fixture;
  std::vector<float> gradient;
  const double before = fixture.loss(gradient);
  for (std::size_t i = 0; i < fixture.latents.size(); ++i)
    fixture.latents[i] = i / kWidth % kPairs == i % kWidth ? 8.0F : 0.0F;
  EXPECT_LT(fixture.loss(gradient), before - 0.5);
}

}  // namespace
}  // namespace sotto
