#include "sotto/encoder/network.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace sotto {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMatrixView = Eigen::Map<const Matrix>;
using MatrixView = Eigen::Map<Matrix>;
using ConstRowView = Eigen::Map<const Eigen::RowVectorXf>;

Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

void activate(Activation activation, std::span<float> values) {
  Eigen::Map<Eigen::ArrayXf> array(values.data(), index(values.size()));
  switch (activation) {
    case Activation::kNone:
      break;
    case Activation::kRelu:
      array = array.max(0.0F);
      break;
    case Activation::kElu:
      array = array.unaryExpr([](float v) { return v > 0 ? v : std::expm1(v); });
      break;
    case Activation::kTanh:
      array = array.tanh();
      break;
  }
}

// result = rows · weightsᵀ + bias, each a row of `bias.size()` values.
void multiply(const float* rows, std::size_t count, std::span<const float> weights, std::span<const float> bias,
              float* result) {
  const std::size_t outputs = bias.size(), inputs = weights.size() / outputs;
  MatrixView product(result, index(count), index(outputs));
  product.rowwise() = ConstRowView(bias.data(), index(outputs));
  product.noalias() += ConstMatrixView(rows, index(count), index(inputs)) *
                       ConstMatrixView(weights.data(), index(outputs), index(inputs)).transpose();
}

// One layer on `count` records.
struct Application {
  std::span<const float> input;
  std::size_t count;
  std::span<float> output;
  const std::vector<std::vector<float>>& earlier;  // outputs of the layers before
  std::vector<float>& room;

  void operator()(const DenseLayer& layer) const {
    multiply(input.data(), count, layer.weights, layer.bias, output.data());
    activate(layer.activation, output);
  }

  // Some images at a time: their patches stay in the cache, and the products are not too small to be fast.
  void operator()(const ConvolutionLayer& layer) const {
    constexpr std::size_t kRoom = 65536;
    const Patches& patches = layer.patches;
    const std::size_t unfolded = patches.count() * patches.size(), outputs = patches.count() * layer.filters;
    const std::size_t together = std::clamp<std::size_t>(kRoom / unfolded, 1, count);
    room.resize(std::max(room.size(), together * unfolded));
    for (std::size_t begin = 0; begin < count; begin += together) {
      const std::size_t images = std::min(together, count - begin);
      unfold(patches, input.subspan(begin * patches.image_size(), images * patches.image_size()),
             std::span(room).first(images * unfolded));
      multiply(room.data(), images * patches.count(), layer.weights, layer.bias, output.data() + begin * outputs);
    }
    activate(layer.activation, output);
  }

  void operator()(const PoolingLayer& layer) const {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t outputs = output.size() / count, inputs = layer.patches.image_size();
      pool(layer, input.subspan(i * inputs, inputs), output.subspan(i * outputs, outputs));
    }
  }

  void operator()(const ResidualLayer& layer) const {
    const std::vector<float>& other = earlier[layer.from];
    for (std::size_t i = 0; i < output.size(); ++i) output[i] = input[i] + other[i];
    activate(layer.activation, output);
  }

 private:
  void pool(const PoolingLayer& layer, std::span<const float> image, std::span<float> pooled) const {
    const std::size_t channels = layer.patches.channels;
    const bool is_max = layer.kind == PoolingLayer::Kind::kMax;
    std::fill(pooled.begin(), pooled.end(), is_max ? -std::numeric_limits<float>::infinity() : 0.0F);
    room.assign(layer.patches.count(), 0.0F);  // pixels of each patch
    for_each_stretch(layer.patches, [&](std::size_t patch, std::size_t, std::size_t pixel, std::size_t length) {
      room[patch] += static_cast<float>(length);
      for (std::size_t i = 0; i < length * channels; ++i) {
        float& to = pooled[patch * channels + i % channels];
        const float value = image[pixel * channels + i];
        to = is_max ? std::max(to, value) : to + value;
      }
    });
    if (is_max) return;
    for (std::size_t i = 0; i < pooled.size(); ++i) pooled[i] /= room[i / channels];
  }
};

Error wrong(std::size_t layer, const std::string& what) {
  return {ErrorCode::kInvalidArgument, "layer " + std::to_string(layer) + ": " + what};
}

}  // namespace

Network::Network(std::size_t input_width, std::vector<Layer> layers)
    : input_width_(input_width), layers_(std::move(layers)) {}

Result<Network> Network::make(std::size_t input_width, std::vector<Layer> layers) {
  if (input_width < 1 || input_width > kMaxWidth)
    return refuse("encoder: input width must lie between 1 and 2^24, got " + std::to_string(input_width));
  std::size_t width = input_width;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (inputs_of(layers[i]) != width)
      return wrong(i, "expected " + std::to_string(width) + " inputs, got " + std::to_string(inputs_of(layers[i])));
    if (const Status status = validate(layers[i]); !status) return wrong(i, status.error().message);
    const auto* residual = std::get_if<ResidualLayer>(&layers[i]);
    if (residual != nullptr && (residual->from >= i || outputs_of(layers[residual->from]) != width))
      return wrong(i, "adds a layer that does not come before it or is not as wide");
    width = outputs_of(layers[i]);
  }
  return Network(input_width, std::move(layers));
}

Result<Network> Network::stack(const Network& below, const Network& above) {
  std::vector<Layer> layers = below.layers();
  for (Layer layer : above.layers()) {
    if (auto* residual = std::get_if<ResidualLayer>(&layer)) residual->from += below.layers().size();
    layers.push_back(std::move(layer));
  }
  return make(below.input_width(), std::move(layers));
}

std::size_t Network::multiplications_per_record() const {
  std::size_t sum = 0;
  for (const Layer& layer : layers_) sum += multiplications_of(layer);
  return sum;
}

void Network::encode(std::span<const float> records, std::size_t count, std::span<float> encodings,
                     Workspace& workspace) const {
  if (layers_.empty()) std::copy(records.begin(), records.end(), encodings.begin());
  // However many records there are, memory is for few: 4 MiB a layer, unless a single record takes more.
  constexpr std::size_t kMostValues = std::size_t{1} << 20, kMostRecords = 256;
  std::size_t widest = 1;
  for (const Layer& layer : layers_) widest = std::max(widest, outputs_of(layer));
  const std::size_t together = std::clamp<std::size_t>(kMostValues / widest, 1, kMostRecords);
  for (std::size_t begin = 0; begin < count && !layers_.empty(); begin += together) {
    const std::size_t block = std::min(together, count - begin);
    encode_block(records.subspan(begin * input_width_, block * input_width_), block,
                 encodings.subspan(begin * output_width(), block * output_width()), workspace);
  }
}

void Network::encode_block(std::span<const float> records, std::size_t count, std::span<float> encodings,
                           Workspace& workspace) const {
  workspace.outputs_.resize(std::max(workspace.outputs_.size(), layers_.size() - 1));
  std::span<const float> input = records;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    std::span<float> output = encodings;
    if (i + 1 < layers_.size()) {
      std::vector<float>& own = workspace.outputs_[i];
      const std::size_t size = count * outputs_of(layers_[i]);
      own.resize(std::max(own.size(), size));
      output = std::span(own).first(size);
    }
    std::visit(Application{input, count, output, workspace.outputs_, workspace.patches_}, layers_[i]);
    input = output;
  }
}

}  // namespace sotto
