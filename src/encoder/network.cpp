#include "sotto/encoder/network.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMatrixView = Eigen::Map<const Matrix>;
using MatrixView = Eigen::Map<Matrix>;
using ConstRowView = Eigen::Map<const Eigen::RowVectorXf>;

constexpr std::array<std::pair<Activation, std::string_view>, 4> kActivationNames = {
    {{Activation::kNone, "none"}, {Activation::kRelu, "relu"}, {Activation::kElu, "elu"}, {Activation::kTanh, "tanh"}}};

constexpr std::size_t kMaxWidth = std::size_t{1} << 24;

Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

void activate(Activation activation, MatrixView values) {
  switch (activation) {
    case Activation::kNone:
      break;
    case Activation::kRelu:
      values = values.cwiseMax(0.0F);
      break;
    case Activation::kElu:
      values = values.unaryExpr([](float v) { return v > 0 ? v : std::expm1(v); });
      break;
    case Activation::kTanh:
      values = values.array().tanh().matrix();
      break;
  }
}

void apply(const DenseLayer& layer, const float* input, std::size_t count, float* output) {
  const ConstMatrixView weights(layer.weights.data(), index(layer.outputs), index(layer.inputs));
  const ConstMatrixView records(input, index(count), index(layer.inputs));
  MatrixView result(output, index(count), index(layer.outputs));
  result.rowwise() = ConstRowView(layer.bias.data(), index(layer.outputs));
  result.noalias() += records * weights.transpose();
  activate(layer.activation, result);
}

Error wrong(std::size_t layer, const std::string& what) {
  return {ErrorCode::kInvalidArgument, "layer " + std::to_string(layer) + ": " + what};
}

Status validate(const DenseLayer& layer, std::size_t position, std::size_t input_width) {
  if (layer.inputs != input_width)
    return wrong(position, "expected " + std::to_string(input_width) + " inputs, got " + std::to_string(layer.inputs));
  if (layer.outputs < 1 || layer.outputs > kMaxWidth)
    return wrong(position, "outputs must lie between 1 and 2^24, got " + std::to_string(layer.outputs));
  if (layer.weights.size() != layer.outputs * layer.inputs || layer.bias.size() != layer.outputs)
    return wrong(position, "weights or bias do not have the size that inputs and outputs call for");
  const auto is_finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(layer.weights.begin(), layer.weights.end(), is_finite) ||
      !std::all_of(layer.bias.begin(), layer.bias.end(), is_finite))
    return wrong(position, "weights and bias must be finite");
  return {};
}

}  // namespace

std::string_view name_of(Activation activation) {
  return std::find_if(kActivationNames.begin(), kActivationNames.end(),
                      [=](auto& entry) { return entry.first == activation; })
      ->second;
}

Result<Activation> activation_named(std::string_view name) {
  for (const auto& [activation, its_name] : kActivationNames)
    if (its_name == name) return activation;
  return Error{ErrorCode::kInvalidArgument, "activation: expected none, relu, elu or tanh"};
}

Network::Network(std::size_t input_width, std::vector<DenseLayer> layers)
    : input_width_(input_width), layers_(std::move(layers)) {}

Result<Network> Network::make(std::size_t input_width, std::vector<DenseLayer> layers) {
  if (input_width < 1 || input_width > kMaxWidth)
    return Error{ErrorCode::kInvalidArgument,
                 "encoder: input width must lie between 1 and 2^24, got " + std::to_string(input_width)};
  std::size_t width = input_width;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (const Status status = validate(layers[i], i, width); !status) return status.error();
    width = layers[i].outputs;
  }
  return Network(input_width, std::move(layers));
}

std::size_t Network::multiplications_per_record() const {
  std::size_t sum = 0;
  for (const DenseLayer& layer : layers_) sum += layer.weights.size();
  return sum;
}

void Network::encode(std::span<const float> records, std::size_t count, std::span<float> encodings,
                     Workspace& workspace) const {
  if (layers_.empty()) {
    std::copy(records.begin(), records.end(), encodings.begin());
    return;
  }
  const float* input = records.data();
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    float* output = encodings.data();
    if (i + 1 < layers_.size()) {
      workspace.back_.resize(std::max(workspace.back_.size(), count * layers_[i].outputs));
      output = workspace.back_.data();
    }
    apply(layers_[i], input, count, output);
    std::swap(workspace.front_, workspace.back_);
    input = output;
  }
}

}  // namespace sotto
