#include "sotto/train/contrastive_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kPairs = 5, kWidth = 4;

std::vector<float> draw_views(std::uint64_t seed) {
  SeededEntropy entropy(seed);
  std::vector<float> views;
  for (std::size_t i = 0; i < 2 * kPairs * kWidth; ++i) views.push_back(2 * draw_standard_normal(entropy));
  return views;
}

// The definition, in double: −log of the softmax, over all other views, of the similarity to the partner.
double naive_loss(std::span<const double> views, std::size_t width, double temperature) {
  const std::size_t count = views.size() / width;
  const auto similarity = [&](std::size_t a, std::size_t b) {
    double dot = 0, left = 0, right = 0;
    for (std::size_t i = 0; i < width; ++i) {
      dot += views[a * width + i] * views[b * width + i];
      left += views[a * width + i] * views[a * width + i];
      right += views[b * width + i] * views[b * width + i];
    }
    return dot / std::sqrt(left * right) / temperature;
  };
  double loss = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < count; ++j)
      if (j != i) sum += std::exp(similarity(i, j));
    loss += std::log(sum) - similarity(i, (i + count / 2) % count);
  }
  return loss / static_cast<double>(count);
}

double loss_of(std::span<const float> views, std::size_t width, float temperature, std::span<float> gradient,
               float weight = 1) {
  ContrastiveMemory memory;
  return contrastive_loss(views, width, temperature, weight, memory, gradient);
}

TEST(ContrastiveLoss, IsItsDefinition) {
  for (const float temperature : {0.1F, 0.5F, 2.0F}) {
    const auto views = draw_views(1);
    std::vector<float> gradient(views.size());
    const std::vector<double> exact(views.begin(), views.end());
    EXPECT_NEAR(loss_of(views, kWidth, temperature, gradient),
                naive_loss(exact, kWidth, static_cast<double>(temperature)), 1e-4);
  }
}

TEST(ContrastiveLoss, HasTheGradientOfFiniteDifferencesTimesTheWeight) {
  constexpr double kStep = 1e-5, kWeight = 3;
  for (const float temperature : {0.2F, 1.0F}) {
    const auto views = draw_views(2);
    std::vector<float> gradient(views.size());
    loss_of(views, kWidth, temperature, gradient, kWeight);
    std::vector<double> moved(views.begin(), views.end());
    double largest = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const double place = moved[i];
      moved[i] = place + kStep;
      const double above = naive_loss(moved, kWidth, static_cast<double>(temperature));
      moved[i] = place - kStep;
      const double below = naive_loss(moved, kWidth, static_cast<double>(temperature));
      moved[i] = place;
      const double slope = kWeight * (above - below) / (2 * kStep);
      EXPECT_NEAR(gradient[i], slope, 1e-4) << "value " << i;
      largest = std::max(largest, std::abs(slope));
    }
    EXPECT_GT(largest, 0.01);
  }
}

TEST(ContrastiveLoss, IsSmallWhenPartnersAgreeAndOthersDoNot) {
  std::vector<float> together(2 * 4 * 4, 0), astray = together;
  for (std::size_t i = 0; i < 8; ++i) {
    together[i * 4 + i % 4] = 1;
    astray[i * 4 + (i + i / 4) % 4] = 1;
  }
  std::vector<float> gradient(together.size());
  EXPECT_LT(loss_of(together, 4, 0.1F, gradient), 0.01);
  EXPECT_GT(loss_of(astray, 4, 0.1F, gradient), 5);
}

TEST(ContrastiveLoss, SurvivesViewsWithoutADirectionAndSmallTemperatures) {
  auto views = draw_views(3);
  std::fill_n(views.begin(), 2 * kWidth, 0.0F);
  std::vector<float> gradient(views.size());
  EXPECT_TRUE(std::isfinite(loss_of(views, kWidth, 0.01F, gradient)));
  for (std::size_t i = 2 * kWidth; i < gradient.size(); ++i) EXPECT_TRUE(std::isfinite(gradient[i]));
}

}  // namespace
}  // namespace sotto
