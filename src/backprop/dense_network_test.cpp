#include "sotto/backprop/dense_network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kCount = 5, kInputs = 4, kOutputs = 3;

struct Fixture {
  DenseNetwork network;
  std::vector<float> inputs, targets;

  explicit Fixture(Activation activation)
      : network(DenseNetwork::perceptron(kInputs, std::array<std::size_t, 2>{6, 5}, kOutputs, activation)) {
    SeededEntropy entropy(3);
    network.initialise(entropy);
    for (std::size_t i = 0; i < kCount * kInputs; ++i) inputs.push_back(4 * draw_uniform(entropy) - 2);
    for (std::size_t i = 0; i < kCount * kOutputs; ++i) targets.push_back(draw_uniform(entropy));
  }

  // Half the squared distance to the targets, so that its gradient is the difference.
  double loss() const {
    DenseNetwork::Pass pass;
    const auto output = network.forward(inputs, kCount, pass);
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) sum += 0.5 * std::pow(output[i] - targets[i], 2);
    return sum;
  }

  void gradients(std::vector<float>& parameters, std::vector<float>& input) const {
    DenseNetwork::Pass pass;
    const auto output = network.forward(inputs, kCount, pass);
    std::vector<float> difference(output.begin(), output.end());
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= targets[i];
    parameters.resize(network.parameters().size());
    input.resize(inputs.size());
    network.backward(difference, pass, parameters, input);
  }

  double slope(float& place) const {
    constexpr float kStep = 1e-3F;
    const float kept = place;
    place = kept + kStep;
    const double above = loss();
    place = kept - kStep;
    const double below = loss();
    place = kept;
    return (above - below) / (2 * kStep);
  }
};

class EveryActivation : public testing::TestWithParam<Activation> {};

TEST_P(EveryActivation, HasTheGradientThatDifferencesShow) {
  Fixture fixture(GetParam());
  std::vector<float> parameters, input;
  fixture.gradients(parameters, input);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    EXPECT_NEAR(parameters[i], fixture.slope(fixture.network.parameters()[i]), 2e-3) << "parameter " << i;
  for (std::size_t i = 0; i < input.size(); ++i)
    EXPECT_NEAR(input[i], fixture.slope(fixture.inputs[i]), 2e-3) << "input " << i;
}

TEST_P(EveryActivation, ComputesOnADeviceWhatItComputesHere) {
  const Fixture fixture(GetParam());
  const Network device = fixture.network.to_network().value_or_throw();
  std::vector<float> encodings(kCount * kOutputs);
  Network::Workspace workspace;
  device.encode(fixture.inputs, kCount, encodings, workspace);
  DenseNetwork::Pass pass;
  const auto expected = fixture.network.forward(fixture.inputs, kCount, pass);
  for (std::size_t i = 0; i < encodings.size(); ++i) EXPECT_NEAR(encodings[i], expected[i], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(DenseNetwork, EveryActivation,
                         testing::Values(Activation::kNone, Activation::kRelu, Activation::kElu, Activation::kTanh));

TEST(DenseNetwork, StartsFromTheSameWeightsForTheSameSeedAlone) {
  Fixture first(Activation::kRelu);
  const Fixture second(Activation::kRelu);
  EXPECT_TRUE(std::ranges::equal(first.network.parameters(), second.network.parameters()));
  SeededEntropy other(4);
  first.network.initialise(other);
  EXPECT_FALSE(std::ranges::equal(first.network.parameters(), second.network.parameters()));
}

}  // namespace
}  // namespace sotto
