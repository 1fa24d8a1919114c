#include "sotto/train/agreement_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kCodes = 3;

double loss_of(const std::vector<float>& logits) {
  AgreementMemory memory;
  std::vector<float> gradient(logits.size());
  return agreement_loss(logits, kCodes, 1, memory, gradient);
}

TEST(AgreementLoss, IsTheLogarithmOfTheCodesWhenViewsAgreeAndAllAreUsed) {
  std::vector<float> logits(2 * 6 * kCodes, 0);
  for (std::size_t pair = 0; pair < 6; ++pair)
    for (const std::size_t row : {pair, 6 + pair}) logits[row * kCodes + pair % kCodes] = 30;
  EXPECT_NEAR(loss_of(logits), -std::log(3.0), 1e-5);
}

TEST(AgreementLoss, IsNothingWhenOneCodeIsUsedOrViewsAreIndependent) {
  std::vector<float> one(2 * 6 * kCodes, 0);
  for (std::size_t row = 0; row < 12; ++row) one[row * kCodes] = 30;
  EXPECT_NEAR(loss_of(one), 0, 1e-5);
  std::vector<float> independent(2 * 9 * kCodes, 0);
  for (std::size_t pair = 0; pair < 9; ++pair) {
    independent[pair * kCodes + pair % 3] = 30;
    independent[(9 + pair) * kCodes + pair / 3] = 30;
  }
  EXPECT_NEAR(loss_of(independent), 0, 1e-5);
}

TEST(AgreementLoss, HasTheGradientOfItsDifferences) {
  SeededEntropy entropy(1);
  std::vector<float> logits(2 * 5 * kCodes);
  for (float& value : logits) value = draw_standard_normal(entropy);
  AgreementMemory memory;
  std::vector<float> gradient(logits.size());
  agreement_loss(logits, kCodes, 0.5F, memory, gradient);
  constexpr float kStep = 1e-2F;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    std::vector<float> more = logits, less = logits;
    more[i] += kStep;
    less[i] -= kStep;
    EXPECT_NEAR(gradient[i], 0.5 * (loss_of(more) - loss_of(less)) / (2 * static_cast<double>(kStep)), 2e-4) << i;
  }
}

}  // namespace
}  // namespace sotto
