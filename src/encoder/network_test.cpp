#include "sotto/encoder/network.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// The slow reference, plain loops in double: one record, layer by layer.
struct Reference {
  std::vector<float> values;
  const std::vector<std::vector<float>>& earlier;

  static float rounded(double sum, Activation activation) {
    return plain_activation(activation, static_cast<float>(sum));
  }
  // The value of the image at a place of the padded image, zero outside.
  double pixel(const Patches& patches, std::size_t channel, std::size_t row, std::size_t column) const {
    if (row < patches.padding || column < patches.padding) return 0;
    const std::size_t y = row - patches.padding, x = column - patches.padding;
    if (y >= patches.height || x >= patches.width) return 0;
    return static_cast<double>(patches.order == Patches::Order::kPlanes
                                   ? values[(channel * patches.height + y) * patches.width + x]
                                   : values[(y * patches.width + x) * patches.channels + channel]);
  }
  bool inside(const Patches& patches, std::size_t row, std::size_t column) const {
    return row >= patches.padding && row < patches.padding + patches.height && column >= patches.padding &&
           column < patches.padding + patches.width;
  }

  std::vector<float> operator()(const DenseLayer& layer) const {
    std::vector<float> next;
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      double sum = layer.bias[o];
      for (std::size_t i = 0; i < layer.inputs; ++i)
        sum += static_cast<double>(layer.weights[o * layer.inputs + i]) * static_cast<double>(values[i]);
      next.push_back(rounded(sum, layer.activation));
    }
    return next;
  }
  std::vector<float> operator()(const ConvolutionLayer& layer) const {
    const Patches& patches = layer.patches;
    std::vector<float> next;
    for (std::size_t row = 0; row + patches.side <= patches.height + 2 * patches.padding; row += patches.stride)
      for (std::size_t column = 0; column + patches.side <= patches.width + 2 * patches.padding;
           column += patches.stride)
        for (std::size_t filter = 0; filter < layer.filters; ++filter) {
          double sum = layer.bias[filter];
          for (std::size_t y = 0; y < patches.side; ++y)
            for (std::size_t x = 0; x < patches.side; ++x)
              for (std::size_t c = 0; c < patches.channels; ++c)
                sum += pixel(patches, c, row + y, column + x) *
                       static_cast<double>(
                           layer.weights[((filter * patches.side + y) * patches.side + x) * patches.channels + c]);
          next.push_back(rounded(sum, layer.activation));
        }
    return next;
  }
  std::vector<float> operator()(const PoolingLayer& layer) const {
    const Patches& patches = layer.patches;
    std::vector<float> next;
    for (std::size_t row = 0; row + patches.side <= patches.height + 2 * patches.padding; row += patches.stride)
      for (std::size_t column = 0; column + patches.side <= patches.width + 2 * patches.padding;
           column += patches.stride)
        for (std::size_t c = 0; c < patches.channels; ++c) {
          double sum = 0, most = -1e300, pixels = 0;
          for (std::size_t y = 0; y < patches.side; ++y)
            for (std::size_t x = 0; x < patches.side; ++x) {
              if (!inside(patches, row + y, column + x)) continue;
              const double value = pixel(patches, c, row + y, column + x);
              sum += value;
              ++pixels;
              most = std::max(most, value);
            }
          next.push_back(static_cast<float>(layer.kind == PoolingLayer::Kind::kMax ? most : sum / pixels));
        }
    return next;
  }
  std::vector<float> operator()(const ResidualLayer& layer) const {
    std::vector<float> next;
    for (std::size_t i = 0; i < values.size(); ++i)
      next.push_back(
          rounded(static_cast<double>(values[i]) + static_cast<double>(earlier[layer.from][i]), layer.activation));
    return next;
  }
};

std::vector<float> reference(const Network& network, std::vector<float> values) {
  std::vector<std::vector<float>> outputs;
  for (const Layer& layer : network.layers()) {
    values = std::visit(Reference{values, outputs}, layer);
    outputs.push_back(values);
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

void expect_agreement(const Network& network) {
  Network::Workspace workspace;
  const std::size_t width = network.input_width();
  for (const std::size_t count : {1, 2, 33, 300}) {
    const std::vector<float> input = records(count, width);
    std::vector<float> output(count * network.output_width());
    network.encode(input, count, output, workspace);
    for (std::size_t r = 0; r < count; ++r) {
      const auto expected = reference(network, {input.begin() + static_cast<std::ptrdiff_t>(r * width),
                                                input.begin() + static_cast<std::ptrdiff_t>((r + 1) * width)});
      ASSERT_EQ(expected.size(), network.output_width());
      for (std::size_t o = 0; o < expected.size(); ++o)
        ASSERT_NEAR(output[r * expected.size() + o], expected[o], 2e-5 * std::abs(expected[o]) + 2e-5);
    }
  }
}

TEST(Network, AgreesWithPlainLoopsForEveryActivationAndDepthAndBatchSize) {
  for (const Activation activation : {Activation::kNone, Activation::kRelu, Activation::kElu, Activation::kTanh}) {
    for (const std::size_t depth : {1, 2, 3, 4}) {
      std::vector<Layer> layers;
      std::size_t width = 17;
      for (std::size_t i = 0; i < depth; ++i) {
        layers.push_back(layer(width, 5 + 6 * i, activation));
        width = 5 + 6 * i;
      }
      expect_agreement(Network::make(17, layers).value_or_throw());
    }
  }
}

ConvolutionLayer convolution(const Patches& patches, std::size_t filters, Activation activation) {
  const DenseLayer weights = layer(patches.size(), filters, activation);
  return {patches, filters, weights.weights, weights.bias, activation};
}

std::vector<Patches> kinds_of_patches() {
  std::vector<Patches> kinds;
  for (const auto order : {Patches::Order::kPlanes, Patches::Order::kPixels})
    for (const std::size_t channels : {1, 3})
      for (const std::size_t side : {1, 2, 3, 5})
        for (const std::size_t stride : {1, 2, 3})
          for (const std::size_t padding : {0, 1, 2, 4})
            if (padding < side) kinds.push_back({channels, 6, 5, side, stride, padding, order});
  return kinds;
}

TEST(Network, ConvolvesAndPoolsAsPlainLoopsDoForEveryShapeOfPatches) {
  for (const Patches& patches : kinds_of_patches()) {
    SCOPED_TRACE(testing::Message() << patches.channels << " channels, side " << patches.side << ", stride "
                                    << patches.stride << ", padding " << patches.padding);
    expect_agreement(
        Network::make(patches.image_size(), {convolution(patches, 4, Activation::kRelu)}).value_or_throw());
    if (patches.order != Patches::Order::kPixels) continue;
    for (const auto kind : {PoolingLayer::Kind::kMax, PoolingLayer::Kind::kMean})
      expect_agreement(Network::make(patches.image_size(), {PoolingLayer{patches, kind}}).value_or_throw());
  }
}

TEST(Network, AddsAnEarlierLayer) {
  const Patches first{2, 6, 5, 3, 1, 1, Patches::Order::kPlanes}, second{4, 6, 5, 3, 1, 1};
  const std::vector<Layer> layers = {convolution(first, 4, Activation::kRelu),
                                     convolution(second, 4, Activation::kTanh),
                                     convolution(second, 4, Activation::kNone),
                                     ResidualLayer{0, 120, Activation::kRelu},
                                     PoolingLayer{{4, 6, 5, 2, 2, 0}, PoolingLayer::Kind::kMax},
                                     layer(24, 7, Activation::kNone)};
  const Network network = Network::make(60, layers).value_or_throw();
  expect_agreement(network);
  EXPECT_EQ(network.multiplications_per_record(), 30U * (18 * 4 + 2 * 36 * 4) + 24 * 7);
}

TEST(Network, StackedComputesOneAfterTheOther) {
  const DenseLayer same = layer(3, 3, Activation::kTanh);
  const Network below = Network::make(5, {layer(5, 3, Activation::kRelu), same}).value_or_throw();
  const Network above = Network::make(3, {same, same, ResidualLayer{0, 3}}).value_or_throw();
  const Network both = Network::stack(below, above).value_or_throw();
  Network::Workspace workspace;
  const auto input = records(4, 5);
  std::vector<float> middle(12), expected(12), output(12);
  below.encode(input, 4, middle, workspace);
  above.encode(middle, 4, expected, workspace);
  both.encode(input, 4, output, workspace);
  EXPECT_EQ(output, expected);
  EXPECT_FALSE(Network::stack(above, below));
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

TEST(Network, RefusesImagesPatchesAndSumsThatCannotBe) {
  const Patches good{2, 6, 5, 3, 1, 1};
  const auto network = [](const Patches& patches) {
    return Network::make(60, {convolution(patches, 4, Activation::kNone)});
  };
  EXPECT_TRUE(network(good));
  for (auto member : {&Patches::channels, &Patches::height, &Patches::width, &Patches::side, &Patches::stride})
    for (const std::size_t value : {std::size_t{0}, std::size_t{9}, std::size_t{1} << 30, ~std::size_t{0}}) {
      if (member == &Patches::stride && value == 9) continue;  // a single patch is fine
      Patches bad = good;
      bad.*member = value;
      // The weights stay those of the good patches: a hostile file need not be consistent either.
      ConvolutionLayer odd = convolution(good, 4, Activation::kNone);
      odd.patches = bad;
      EXPECT_FALSE(Network::make(60, {odd}));
      EXPECT_FALSE(Network::make(60, {PoolingLayer{bad, PoolingLayer::Kind::kMax}})) << value;
    }
  Patches padded = good;
  padded.padding = 3;
  EXPECT_FALSE(Network::make(60, {PoolingLayer{padded, PoolingLayer::Kind::kMax}}));
  Patches planes = good;
  planes.order = Patches::Order::kPlanes;
  EXPECT_FALSE(Network::make(60, {PoolingLayer{planes, PoolingLayer::Kind::kMax}}));
  const DenseLayer same = layer(3, 3, Activation::kNone), wider = layer(3, 4, Activation::kNone);
  EXPECT_TRUE(Network::make(3, {same, same, ResidualLayer{0, 3}}));
  EXPECT_FALSE(Network::make(3, {same, same, ResidualLayer{2, 3}})) << "itself";
  EXPECT_FALSE(Network::make(3, {same, wider, ResidualLayer{0, 4}})) << "another width";
  EXPECT_FALSE(Network::make(3, {same, same, ResidualLayer{0, 2}}));
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
