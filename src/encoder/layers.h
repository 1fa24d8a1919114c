// The layers a network is made of, as plain data.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "sotto/encoder/patches.h"
#include "sotto/kernel/result.h"

namespace sotto {

inline constexpr std::size_t kMaxWidth = std::size_t{1} << 24;  // of a layer or a record

enum class Activation { kNone, kRelu, kElu, kTanh };

std::string_view name_of(Activation activation);
Result<Activation> activation_named(std::string_view name);

// y = activation(W·x + b).
struct DenseLayer {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::vector<float> weights;  // outputs × inputs, row by row
  std::vector<float> bias;     // outputs
  Activation activation = Activation::kNone;
  bool operator==(const DenseLayer&) const = default;
};

// The same at every patch of an image. Batch normalisation is folded into weights and bias when a trained network is
// exported.
struct ConvolutionLayer {
  Patches patches;
  std::size_t filters = 0;     // the channels of the result, which comes pixel by pixel
  std::vector<float> weights;  // filters × patches.size()
  std::vector<float> bias;     // filters
  Activation activation = Activation::kNone;
  bool operator==(const ConvolutionLayer&) const = default;
};

// The largest or the mean value of each channel over each patch, pixel by pixel. What lies outside the image is left
// out.
struct PoolingLayer {
  enum class Kind { kMax, kMean };
  Patches patches;
  Kind kind = Kind::kMax;
  bool operator==(const PoolingLayer&) const = default;
};

// activation(x + y), where y is the output of layer `from`, counted from 0; both are `width` wide.
struct ResidualLayer {
  std::size_t from = 0;
  std::size_t width = 0;
  Activation activation = Activation::kNone;
  bool operator==(const ResidualLayer&) const = default;
};

using Layer = std::variant<DenseLayer, ConvolutionLayer, PoolingLayer, ResidualLayer>;

std::size_t inputs_of(const Layer& layer);
std::size_t outputs_of(const Layer& layer);
std::size_t multiplications_of(const Layer& layer);

// Whether the layer is well formed: sizes that call for each other, and finite numbers. Whether it fits its neighbours
// is for the network to say.
Status validate(const Layer& layer);

}  // namespace sotto
