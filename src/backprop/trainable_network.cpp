#include "sotto/backprop/trainable_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sotto/backprop/gemm.h"
#include "sotto/backprop/random.h"

namespace sotto {
namespace {

// A ReLU after a normalisation is a part of it.
bool rectified(const LayerShape& shape) { return shape.normalised && shape.activation == Activation::kRelu; }

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

void add_to_rows(std::span<const float> bias, std::span<float> matrix) {
  for (std::size_t row = 0; row < matrix.size(); row += bias.size())
    for (std::size_t i = 0; i < bias.size(); ++i) matrix[row + i] += bias[i];
}

void sum_rows(std::span<const float> matrix, std::span<float> sum) {
  std::fill(sum.begin(), sum.end(), 0.0F);
  for (std::size_t row = 0; row < matrix.size(); row += sum.size())
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += matrix[row + i];
}

}  // namespace

TrainableNetwork::TrainableNetwork(std::size_t inputs, std::vector<LayerShape> layers)
    : inputs_(inputs), layers_(std::move(layers)), settled_(layers_.size()) {
  std::size_t place = 0;
  for (const LayerShape& layer : layers_) {
    const auto& patches = layer.convolution;
    const std::size_t row_inputs = patches ? patches->size() : inputs;
    const std::size_t bias = place + row_inputs * layer.outputs, scale = bias + layer.outputs;
    const std::size_t end = scale + (layer.normalised ? layer.outputs : 0);
    const std::size_t outputs = layer.outputs * (patches ? patches->count() : 1);
    views_.push_back({inputs, outputs, row_inputs, layer.outputs, place, bias, scale, end});
    place = end;
    inputs = outputs;
  }
  parameters_.assign(place, 0.0F);
}

TrainableNetwork TrainableNetwork::perceptron(std::size_t inputs, std::span<const std::size_t> hidden,
                                              std::size_t outputs, Activation activation) {
  std::vector<LayerShape> layers;
  for (const std::size_t width : hidden) layers.push_back({width, activation});
  layers.push_back({outputs, Activation::kNone});
  return {inputs, std::move(layers)};
}

void TrainableNetwork::initialise(SeededEntropy& entropy) {
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const LayerView& view = views_[layer];
    const float bound = 1 / std::sqrt(static_cast<float>(view.row_inputs));
    const auto own = std::span(parameters_).subspan(view.weights, view.scale - view.weights);
    for (float& parameter : own) parameter = bound * (2 * draw_uniform(entropy) - 1);
    if (!layers_[layer].normalised) continue;
    std::fill(parameters_.begin() + static_cast<std::ptrdiff_t>(view.bias),
              parameters_.begin() + static_cast<std::ptrdiff_t>(view.scale), 0.0F);
    std::fill(parameters_.begin() + static_cast<std::ptrdiff_t>(view.scale),
              parameters_.begin() + static_cast<std::ptrdiff_t>(view.end), 1.0F);
  }
}

TrainableNetwork::FirstLayer TrainableNetwork::first_layer() {
  const LayerView& view = views_.front();
  return {parameters().subspan(view.weights, view.inputs * view.outputs),
          parameters().subspan(view.bias, view.outputs)};
}

Normalisation TrainableNetwork::normalisation(std::size_t layer) const {
  const LayerView& view = views_[layer];
  return {part(view.scale, view.end), part(view.bias, view.scale),
          rectified(layers_[layer]) ? 0 : std::numeric_limits<float>::lowest()};
}

void TrainableNetwork::apply(std::size_t layer, std::span<const float> input, Pass& pass) const {
  const LayerView& view = views_[layer];
  const LayerShape& shape = layers_[layer];
  std::vector<float>& output = pass.outputs_[layer];
  output.resize(pass.count_ * view.outputs);
  if (shape.normalised) pass.statistics_[layer].values.resize(output.size());
  const auto weights = part(view.weights, view.bias), bias = part(view.bias, view.scale);
  const auto linear = std::span(shape.normalised ? pass.statistics_[layer].values : output);
  if (shape.convolution)
    convolve(*shape.convolution, input, pass.count_, weights, linear, pass.convolution_);
  else
    multiply({input.data(), pass.count_, view.inputs},
             MatrixView{weights.data(), view.outputs, view.inputs}.transpose(), 0, linear.data());
  if (shape.normalised)
    batch_normalise(normalisation(layer), pass.statistics_[layer], output);
  else
    add_to_rows(bias, output);
  if (!rectified(shape)) activate(shape.activation, output);
}

std::span<const float> TrainableNetwork::forward(std::span<const float> inputs, std::size_t count, Pass& pass) const {
  pass.input_ = inputs;
  pass.count_ = count;
  pass.outputs_.resize(layers_.size());
  pass.statistics_.resize(layers_.size());
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) apply(layer, pass.input_of(layer), pass);
  return pass.output();
}

void TrainableNetwork::backward(std::span<const float> output_gradient, Pass& pass, std::span<float> parameter_gradient,
                                std::span<float> input_gradient) const {
  pass.gradients_.resize(layers_.size());
  pass.gradients_.back().assign(output_gradient.begin(), output_gradient.end());
  for (std::size_t layer = layers_.size(); layer-- > 0;) {
    const LayerView& view = views_[layer];
    const LayerShape& shape = layers_[layer];
    std::vector<float>& gradient = pass.gradients_[layer];
    if (!rectified(shape)) chain(shape.activation, pass.outputs_[layer], gradient);
    const auto bias_gradient = parameter_gradient.subspan(view.bias, view.row_outputs);
    if (shape.normalised)
      batch_normalise_backward(normalisation(layer), pass.statistics_[layer], gradient,
                               parameter_gradient.subspan(view.scale, view.row_outputs), bias_gradient);
    else
      sum_rows(gradient, bias_gradient);

    std::span<float> below = input_gradient;
    if (layer > 0) {
      pass.gradients_[layer - 1].resize(pass.count_ * view.inputs);
      below = pass.gradients_[layer - 1];
    }
    const auto input = pass.input_of(layer);
    const auto weights = part(view.weights, view.bias);
    const auto weight_gradient = parameter_gradient.subspan(view.weights, weights.size());
    if (shape.convolution) {
      convolve_backward(*shape.convolution, input, pass.count_, weights, gradient, weight_gradient, below,
                        pass.convolution_);
      continue;
    }
    const MatrixView gradients{gradient.data(), pass.count_, view.outputs};
    multiply(gradients.transpose(), {input.data(), pass.count_, view.inputs}, 0, weight_gradient.data());
    if (!below.empty()) multiply(gradients, {weights.data(), view.outputs, view.inputs}, 0, below.data());
  }
}

void TrainableNetwork::settle(const std::array<const Pass*, kLanes>& passes) {
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    std::vector<const BatchStatistics*> seen;
    for (const Pass* pass : passes)
      if (layer < pass->statistics_.size() && !pass->statistics_[layer].mean.empty())
        seen.push_back(&pass->statistics_[layer]);
    if (seen.empty()) continue;
    Settled& settled = settled_[layer];
    settled.mean.assign(views_[layer].row_outputs, 0.0F);
    settled.variance = settled.mean;
    for (const BatchStatistics* statistics : seen)
      for (std::size_t i = 0; i < settled.mean.size(); ++i) {
        settled.mean[i] += statistics->mean[i] / static_cast<float>(seen.size());
        settled.variance[i] += statistics->variance[i] / static_cast<float>(seen.size());
      }
  }
}

Result<Network> TrainableNetwork::to_network() const {
  std::vector<Layer> layers;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const LayerView& view = views_[layer];
    const LayerShape& shape = layers_[layer];
    const auto own_weights = part(view.weights, view.bias), own_bias = part(view.bias, view.scale);
    std::vector<float> weights(own_weights.begin(), own_weights.end()), bias(own_bias.begin(), own_bias.end());
    for (std::size_t o = 0; shape.normalised && o < bias.size(); ++o) {
      const Settled& settled = settled_[layer];
      if (settled.mean.empty()) return refuse("network: normalised, but no batches have been seen");
      const float factor = parameters_[view.scale + o] / std::sqrt(settled.variance[o] + kLeastVariance);
      for (std::size_t i = 0; i < view.row_inputs; ++i) weights[o * view.row_inputs + i] *= factor;
      bias[o] -= settled.mean[o] * factor;
    }
    if (shape.convolution)
      layers.push_back(
          ConvolutionLayer{*shape.convolution, shape.outputs, std::move(weights), std::move(bias), shape.activation});
    else
      layers.push_back(DenseLayer{view.inputs, view.outputs, std::move(weights), std::move(bias), shape.activation});
  }
  return Network::make(inputs_, std::move(layers));
}

}  // namespace sotto
