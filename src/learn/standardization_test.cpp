#include "sotto/learn/standardization.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kWidth = 3, kRows = 200;

// A wide feature far from zero, a narrow one, and one that never changes.
std::vector<float> draw_rows() {
  SeededEntropy entropy(1);
  std::vector<float> rows;
  for (std::size_t i = 0; i < kRows; ++i)
    rows.insert(rows.end(), {100 + 20 * draw_standard_normal(entropy), 0.01F * draw_standard_normal(entropy), 0.5F});
  return rows;
}

TEST(Standardization, GivesZeroMeanAndUnitVarianceAndLeavesAConstantAtZero) {
  const auto rows = draw_rows();
  const auto standardised = Standardization::of(rows, kWidth).apply(rows);
  for (std::size_t i = 0; i < kWidth; ++i) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto value = static_cast<double>(standardised[row * kWidth + i]);
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / kRows, 0, 1e-4);
    EXPECT_NEAR(squares / kRows, i == 2 ? 0 : 1, 1e-4);
  }
}

TEST(Standardization, FoldedIntoANetworkGivesTheSameOutputsOnRawInputs) {
  const auto rows = draw_rows();
  const Standardization standardization = Standardization::of(rows, kWidth);
  const auto standardised = standardization.apply(rows);
  for (const std::vector<std::size_t>& hidden : {std::vector<std::size_t>{}, {5, 4}}) {
    TrainableNetwork network = TrainableNetwork::perceptron(kWidth, hidden, 2, Activation::kRelu);
    SeededEntropy entropy(2);
    network.initialise(entropy);
    TrainableNetwork::Pass before_pass, after_pass, raw_pass;
    const auto before = network.forward(standardised, kRows, before_pass);
    const auto raw = network.forward(rows, kRows, raw_pass);
    TrainableNetwork folded = network;
    standardization.fold_into(folded);
    const auto after = folded.forward(rows, kRows, after_pass);
    double difference = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(after[i], before[i], 1e-4);
      difference = std::max(difference, std::abs(static_cast<double>(raw[i] - before[i])));
    }
    EXPECT_GT(difference, 1) << "the network would not notice";
  }
}

}  // namespace
}  // namespace sotto
