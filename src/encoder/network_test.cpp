#include "sotto/encoder/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sotto {
namespace {

float plain_activation(Activation activation, float v) {
  switch (activation) {
    case Activation::kRelu:
      return v > 0 ? v : 0;
    case Activation::kElu:
      return v > 0 ? v : std::exp(v) - 1;
    case Activation::kTanh:
      return std::tanh(v);
    case Activation::kNone:
      break;
  }
  return v;
}

// The slow reference: one record, plain loops in double.
std::vector<float> reference(const Network& network, std::vector<float> values) {
  for (const DenseLayer& layer : network.layers()) {
    std::vector<float> next(layer.outputs);
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      double sum = layer.bias[o];
      for (std::size_t i = 0; i < layer.inputs; ++i)
        sum += static_cast<double>(layer.weights[o * layer.inputs + i]) * static_cast<double>(values[i]);
      next[o] = plain_activation(layer.activation, static_cast<float>(sum));
    }
    values = next;
  }
  return values;
}

// A deterministic value in [−1, 1].
float value_at(std::size_t i) { return static_cast<float>(std::sin(static_cast<double>(i) * 12.9898 + 4.1414)); }

DenseLayer layer(std::size_t inputs, std::size_t outputs, Activation activation) {
  DenseLayer result{inputs, outputs, {}, {}, activation};
  for (std::size_t i = 0; i < inputs * outputs; ++i) result.weights.push_back(value_at(i + inputs));
  for (std::size_t i = 0; i < outputs; ++i) result.bias.push_back(value_at(i * 7 + 3));
  return result;
}

std::vector<float> records(std::size_t count, std::size_t width) {
  std::vector<float> result;
  for (std::size_t i = 0; i < count * width; ++i) result.push_back(value_at(i * 3 + 1));
  return result;
}

TEST(Network, AgreesWithPlainLoopsForEveryActivationAndDepthAndBatchSize) {
  for (const Activation activation : {Activation::kNone, Activation::kRelu, Activation::kElu, Activation::kTanh}) {
    for (const std::size_t depth : {1, 2, 3, 4}) {
      std::vector<DenseLayer> layers;
      std::size_t width = 17;
      for (std::size_t i = 0; i < depth; ++i) {
        layers.push_back(layer(width, 5 + 6 * i, activation));
        width = 5 + 6 * i;
      }
      const Network network = Network::make(17, layers).value_or_throw();
      Network::Workspace workspace;
      for (const std::size_t count : {1, 2, 33}) {
        const std::vector<float> input = records(count, 17);
        std::vector<float> output(count * network.output_width());
        network.encode(input, count, output, workspace);
        for (std::size_t r = 0; r < count; ++r) {
          const auto expected = reference(network, {input.begin() + static_cast<std::ptrdiff_t>(r * 17),
                                                    input.begin() + static_cast<std::ptrdiff_t>((r + 1) * 17)});
          for (std::size_t o = 0; o < expected.size(); ++o)
            EXPECT_NEAR(output[r * expected.size() + o], expected[o], 2e-5 * std::abs(expected[o]) + 2e-5);
        }
      }
    }
  }
}

TEST(Network, WithoutLayersIsTheIdentity) {
  const Network network = Network::make(3, {}).value_or_throw();
  Network::Workspace workspace;
  std::vector<float> output(6);
  network.encode(std::vector<float>{1, 2, 3, 4, 5, 6}, 2, output, workspace);
  EXPECT_EQ(output, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(network.output_width(), 3U);
}

TEST(Network, RefusesLayersThatDoNotFitOrAreNotFinite) {
  EXPECT_FALSE(Network::make(0, {}));
  EXPECT_FALSE(Network::make(4, {layer(3, 2, Activation::kNone)}));
  EXPECT_FALSE(Network::make(3, {layer(3, 2, Activation::kNone), layer(3, 2, Activation::kNone)}));
  DenseLayer short_bias = layer(3, 2, Activation::kNone);
  short_bias.bias.pop_back();
  EXPECT_FALSE(Network::make(3, {short_bias}));
  DenseLayer poisoned = layer(3, 2, Activation::kNone);
  poisoned.weights[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(Network::make(3, {poisoned}));
}

TEST(Network, LetsNonFiniteRecordsThroughForTheConstraintToDealWith) {
  const Network network = Network::make(2, {layer(2, 2, Activation::kNone)}).value_or_throw();
  Network::Workspace workspace;
  std::vector<float> output(2);
  network.encode(std::vector<float>{std::numeric_limits<float>::infinity(), 0}, 1, output, workspace);
  EXPECT_FALSE(std::isfinite(output[0]));
}

TEST(Activation, NamesRoundTrip) {
  for (const Activation activation : {Activation::kNone, Activation::kRelu, Activation::kElu, Activation::kTanh})
    EXPECT_EQ(*activation_named(name_of(activation)), activation);
  EXPECT_FALSE(activation_named("softmax"));
}

}  // namespace
}  // namespace sotto
