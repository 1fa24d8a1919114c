#include "sotto/backprop/trainable_network.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kCount = 5, kInputs = 4, kOutputs = 3;

struct Fixture {
  TrainableNetwork network;
  std::vector<float> inputs, targets;

  explicit Fixture(Activation activation)
      : network(TrainableNetwork::perceptron(kInputs, std::array<std::size_t, 2>{6, 5}, kOutputs, activation)) {
    SeededEntropy entropy(3);
    network.initialise(entropy);
    for (std::size_t i = 0; i < kCount * kInputs; ++i) inputs.push_back(4 * draw_uniform(entropy) - 2);
    for (std::size_t i = 0; i < kCount * kOutputs; ++i) targets.push_back(draw_uniform(entropy));
  }

  // Half the squared distance to the targets, so that its gradient is the difference.
  double loss() const {
    TrainableNetwork::Pass pass;
    const auto output = network.forward(inputs, kCount, pass);
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) sum += 0.5 * std::pow(output[i] - targets[i], 2);
    return sum;
  }

  void gradients(std::vector<float>& parameters, std::vector<float>& input) const {
    TrainableNetwork::Pass pass;
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
  TrainableNetwork::Pass pass;
  const auto expected = fixture.network.forward(fixture.inputs, kCount, pass);
  for (std::size_t i = 0; i < encodings.size(); ++i) EXPECT_NEAR(encodings[i], expected[i], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(TrainableNetwork, EveryActivation,
                         testing::Values(Activation::kNone, Activation::kRelu, Activation::kElu, Activation::kTanh));

// Two convolutions, the first of which reads planes, and a dense layer, all normalised but the last.
struct ImageFixture {
  static constexpr std::size_t kImages = 6, kClasses = 3;
  TrainableNetwork network;
  std::vector<float> images, targets;

  explicit ImageFixture(bool normalised = true)
      : network(2 * 7 * 6, {{3, Activation::kTanh, Patches{2, 7, 6, 3, 2, 1, Patches::Order::kPlanes}, normalised},
                            {4, Activation::kElu, Patches{3, 4, 3, 2, 1, 1}, normalised},
                            {5, Activation::kTanh, std::nullopt, normalised},
                            {kClasses, Activation::kNone}}) {
    SeededEntropy entropy(5);
    network.initialise(entropy);
    // Scales of 1 and shifts of 0 would hide mistakes.
    for (float& parameter : network.parameters()) parameter += 0.3F * draw_uniform(entropy);
    for (std::size_t i = 0; i < kImages * network.inputs(); ++i) images.push_back(2 * draw_uniform(entropy) - 1);
    for (std::size_t i = 0; i < kImages * kClasses; ++i) targets.push_back(draw_uniform(entropy));
  }

  std::vector<float> difference(TrainableNetwork::Pass& pass) const {
    const auto output = network.forward(images, kImages, pass);
    std::vector<float> difference(output.begin(), output.end());
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= targets[i];
    return difference;
  }
  double loss() const {
    TrainableNetwork::Pass pass;
    double sum = 0;
    for (const float each : difference(pass)) sum += 0.5 * static_cast<double>(each) * static_cast<double>(each);
    return sum;
  }
};

TEST(TrainableNetwork, HasTheGradientThatDifferencesShowWhenItConvolvesAndNormalises) {
  for (const bool normalised : {false, true}) {
    ImageFixture fixture(normalised);
    TrainableNetwork::Pass pass;
    std::vector<float> gradient(fixture.network.parameters().size());
    fixture.network.backward(fixture.difference(pass), pass, gradient, {});
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      constexpr float kStep = 4e-3F;
      float& place = fixture.network.parameters()[i];
      const float kept = place;
      place = kept + kStep;
      const double above = fixture.loss();
      place = kept - kStep;
      const double below = fixture.loss();
      place = kept;
      const double slope = (above - below) / (2 * static_cast<double>(kStep));
      EXPECT_NEAR(gradient[i], slope, 2e-3 + 5e-3 * std::abs(slope)) << "parameter " << i << ", " << normalised;
    }
  }
}

TEST(TrainableNetwork, FoldsTheStatisticsOfItsBatchesIntoWhatADeviceRuns) {
  ImageFixture fixture;
  EXPECT_FALSE(fixture.network.to_network()) << "no batch has been seen";
  std::array<TrainableNetwork::Pass, 2> passes;
  for (auto& pass : passes)  // the running averages of equal batches are those of each
    for (int i = 0; i < 3; ++i) fixture.network.forward(fixture.images, ImageFixture::kImages, pass);
  fixture.network.settle({&passes[0], &passes[1]});
  const Network device = fixture.network.to_network().value_or_throw();
  std::vector<float> output(ImageFixture::kImages * ImageFixture::kClasses);
  Network::Workspace workspace;
  device.encode(fixture.images, ImageFixture::kImages, output, workspace);
  for (std::size_t i = 0; i < output.size(); ++i) EXPECT_NEAR(output[i], passes[0].output()[i], 1e-4);
  // One image at a time gives the same: nothing of the rest of the batch is left.
  std::vector<float> alone(ImageFixture::kClasses);
  device.encode(std::span(fixture.images).first(device.input_width()), 1, alone, workspace);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(alone[i], output[i], 1e-6);
}

TEST(TrainableNetwork, StartsFromTheSameWeightsForTheSameSeedAlone) {
  Fixture first(Activation::kRelu);
  const Fixture second(Activation::kRelu);
  EXPECT_TRUE(std::ranges::equal(first.network.parameters(), second.network.parameters()));
  SeededEntropy other(4);
  first.network.initialise(other);
  EXPECT_FALSE(std::ranges::equal(first.network.parameters(), second.network.parameters()));
}

}  // namespace
}  // namespace sotto
