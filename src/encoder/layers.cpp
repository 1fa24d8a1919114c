#include "sotto/encoder/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {
namespace {

constexpr std::array<std::pair<Activation, std::string_view>, 4> kActivationNames = {
    {{Activation::kNone, "none"}, {Activation::kRelu, "relu"}, {Activation::kElu, "elu"}, {Activation::kTanh, "tanh"}}};

bool are_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

Status validate_affine(std::size_t inputs, std::size_t outputs, const std::vector<float>& weights,
                       const std::vector<float>& bias) {
  if (outputs < 1 || outputs > kMaxWidth)
    return refuse("outputs must lie between 1 and 2^24, got " + std::to_string(outputs));
  if (weights.size() != outputs * inputs || bias.size() != outputs)
    return refuse("weights or bias do not have the size that inputs and outputs call for");
  if (!are_finite(weights) || !are_finite(bias)) return refuse("weights and bias must be finite");
  return {};
}

struct Inputs {
  std::size_t operator()(const DenseLayer& layer) const { return layer.inputs; }
  std::size_t operator()(const ConvolutionLayer& layer) const { return layer.patches.image_size(); }
  std::size_t operator()(const PoolingLayer& layer) const { return layer.patches.image_size(); }
  std::size_t operator()(const ResidualLayer& layer) const { return layer.width; }
};

struct Outputs {
  std::size_t operator()(const DenseLayer& layer) const { return layer.outputs; }
  std::size_t operator()(const ConvolutionLayer& layer) const { return layer.patches.count() * layer.filters; }
  std::size_t operator()(const PoolingLayer& layer) const { return layer.patches.count() * layer.patches.channels; }
  std::size_t operator()(const ResidualLayer& layer) const { return layer.width; }
};

struct Multiplications {
  std::size_t operator()(const DenseLayer& layer) const { return layer.weights.size(); }
  std::size_t operator()(const ConvolutionLayer& layer) const { return layer.patches.count() * layer.weights.size(); }
  std::size_t operator()(const PoolingLayer&) const { return 0; }
  std::size_t operator()(const ResidualLayer&) const { return 0; }
};

struct Validation {
  Status operator()(const DenseLayer& layer) const {
    return validate_affine(layer.inputs, layer.outputs, layer.weights, layer.bias);
  }
  Status operator()(const ConvolutionLayer& layer) const {
    if (Status status = layer.patches.validate(); !status) return status;
    if (Status status = validate_affine(layer.patches.size(), layer.filters, layer.weights, layer.bias); !status)
      return status;
    return outputs_in_bounds(layer);
  }
  Status operator()(const PoolingLayer& layer) const {
    if (layer.patches.order != Patches::Order::kPixels) return refuse("pooling reads images pixel by pixel");
    if (Status status = layer.patches.validate(); !status) return status;
    return outputs_in_bounds(layer);
  }
  Status operator()(const ResidualLayer&) const { return {}; }

 private:
  static Status outputs_in_bounds(const Layer& layer) {
    if (outputs_of(layer) <= kMaxWidth) return {};
    return refuse("outputs must be at most 2^24, got " + std::to_string(outputs_of(layer)));
  }
};

}  // namespace

std::string_view name_of(Activation activation) {
  return std::find_if(kActivationNames.begin(), kActivationNames.end(),
                      [=](auto& entry) { return entry.first == activation; })
      ->second;
}

Result<Activation> activation_named(std::string_view name) {
  for (const auto& [activation, its_name] : kActivationNames)
    if (its_name == name) return activation;
  return refuse("activation: expected none, relu, elu or tanh");
}

std::size_t inputs_of(const Layer& layer) { return std::visit(Inputs{}, layer); }
std::size_t outputs_of(const Layer& layer) { return std::visit(Outputs{}, layer); }
std::size_t multiplications_of(const Layer& layer) { return std::visit(Multiplications{}, layer); }
Status validate(const Layer& layer) { return std::visit(Validation{}, layer); }

}  // namespace sotto
