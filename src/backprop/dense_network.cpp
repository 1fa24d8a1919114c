#include "sotto/backprop/dense_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sotto/backprop/gemm.h"
#include "sotto/backprop/random.h"

namespace sotto {
namespace {

void activate(Activation activation, std::span<float> values) {
  switch (activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      for (float& value : values) value = value > 0 ? value : 0;
      return;
    case Activation::kElu:
      for (float& value : values) value = value > 0 ? value : std::expm1(value);
      return;
    case Activation::kTanh:
      for (float& value : values) value = std::tanh(value);
      return;
  }
}

// Multiplies `gradient` by the slope of the activation, which each of these functions can tell from its own value.
void chain(Activation activation, std::span<const float> outputs, std::span<float> gradient) {
  switch (activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = outputs[i] > 0 ? gradient[i] : 0;
      return;
    case Activation::kElu:
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] *= outputs[i] > 0 ? 1 : outputs[i] + 1;
      return;
    case Activation::kTanh:
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] *= 1 - outputs[i] * outputs[i];
      return;
  }
}

void sum_rows(std::span<const float> matrix, std::span<float> sum) {
  std::fill(sum.begin(), sum.end(), 0.0F);
  for (std::size_t row = 0; row < matrix.size(); row += sum.size())
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += matrix[row + i];
}

}  // namespace

DenseNetwork::DenseNetwork(std::size_t inputs, std::vector<LayerShape> layers)
    : inputs_(inputs), layers_(std::move(layers)) {
  std::size_t place = 0;
  for (const LayerShape& layer : layers_) {
    views_.push_back({inputs, layer.outputs, place, place + inputs * layer.outputs});
    place += (inputs + 1) * layer.outputs;
    inputs = layer.outputs;
  }
  parameters_.assign(place, 0.0F);
}

DenseNetwork DenseNetwork::perceptron(std::size_t inputs, std::span<const std::size_t> hidden, std::size_t outputs,
                                      Activation activation) {
  std::vector<LayerShape> layers;
  for (const std::size_t width : hidden) layers.push_back({width, activation});
  layers.push_back({outputs, Activation::kNone});
  return {inputs, std::move(layers)};
}

void DenseNetwork::initialise(SeededEntropy& entropy) {
  for (const LayerView& view : views_) {
    const float bound = 1 / std::sqrt(static_cast<float>(view.inputs));
    for (std::size_t i = view.weights; i < view.bias + view.outputs; ++i)
      parameters_[i] = bound * (2 * draw_uniform(entropy) - 1);
  }
}

DenseNetwork::FirstLayer DenseNetwork::first_layer() {
  const LayerView view = view_of(0);
  return {parameters().subspan(view.weights, view.inputs * view.outputs),
          parameters().subspan(view.bias, view.outputs)};
}

std::span<const float> DenseNetwork::forward(std::span<const float> inputs, std::size_t count, Pass& pass) const {
  pass.input_ = inputs.data();
  pass.count_ = count;
  pass.outputs_.resize(layers_.size());
  const float* input = pass.input_;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const LayerView view = view_of(layer);
    std::vector<float>& output = pass.outputs_[layer];
    output.resize(count * view.outputs);
    for (std::size_t row = 0; row < count; ++row)
      std::copy_n(parameters_.data() + view.bias, view.outputs, output.data() + row * view.outputs);
    multiply({input, count, view.inputs},
             MatrixView{parameters_.data() + view.weights, view.outputs, view.inputs}.transpose(), 1, output.data());
    activate(layers_[layer].activation, output);
    input = output.data();
  }
  return pass.output();
}

void DenseNetwork::backward(std::span<const float> output_gradient, Pass& pass, std::span<float> parameter_gradient,
                            std::span<float> input_gradient) const {
  pass.gradients_.resize(layers_.size());
  pass.gradients_.back().assign(output_gradient.begin(), output_gradient.end());
  for (std::size_t layer = layers_.size(); layer-- > 0;) {
    const LayerView view = view_of(layer);
    std::vector<float>& gradient = pass.gradients_[layer];
    chain(layers_[layer].activation, pass.outputs_[layer], gradient);
    const float* input = layer == 0 ? pass.input_ : pass.outputs_[layer - 1].data();
    const MatrixView gradients{gradient.data(), pass.count_, view.outputs};
    multiply(gradients.transpose(), {input, pass.count_, view.inputs}, 0, parameter_gradient.data() + view.weights);
    sum_rows(gradient, parameter_gradient.subspan(view.bias, view.outputs));
    float* below = input_gradient.data();
    if (layer > 0) {
      pass.gradients_[layer - 1].resize(pass.count_ * view.inputs);
      below = pass.gradients_[layer - 1].data();
    } else if (input_gradient.empty()) {
      return;
    }
    multiply(gradients, {parameters_.data() + view.weights, view.outputs, view.inputs}, 0, below);
  }
}

Result<Network> DenseNetwork::to_network() const {
  std::vector<DenseLayer> layers;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const LayerView view = view_of(layer);
    const auto at = [&](std::size_t place) { return parameters_.begin() + static_cast<std::ptrdiff_t>(place); };
    layers.push_back({view.inputs, view.outputs, std::vector<float>(at(view.weights), at(view.bias)),
                      std::vector<float>(at(view.bias), at(view.bias + view.outputs)), layers_[layer].activation});
  }
  return Network::make(inputs_, std::move(layers));
}

}  // namespace sotto
