#include "sotto/mechanism/network_json.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sotto/mechanism/json_fields.h"

namespace sotto {

using nlohmann::json;

namespace {

// `role` is "encoder" or "decoder".
std::string tensor_name(const char* role, std::size_t layer, const char* part) {
  return std::string(role) + "." + std::to_string(layer) + "." + part;
}

constexpr const char* kOrders[] = {"planes", "pixels"};
constexpr const char* kPoolings[] = {"max", "mean"};

template <class Kind>
const char* word_of(const char* const (&words)[2], Kind kind) {
  return words[kind == Kind{} ? 0 : 1];
}

template <class Kind>
Kind kind_named(const char* const (&words)[2], const std::string& word) {
  if (word != words[0] && word != words[1]) throw corrupt("a layer's '" + word + "' means nothing");
  return static_cast<Kind>(word == words[0] ? 0 : 1);
}

void write_patches(const Patches& patches, json& layer) {
  layer["channels"] = patches.channels;
  layer["height"] = patches.height;
  layer["width"] = patches.width;
  layer["side"] = patches.side;
  layer["stride"] = patches.stride;
  layer["padding"] = patches.padding;
}

Patches read_patches(const json& layer) {
  return {integer_at(layer, "channels"), integer_at(layer, "height"), integer_at(layer, "width"),
          integer_at(layer, "side"),     integer_at(layer, "stride"), integer_at(layer, "padding")};
}

Activation activation_at(const json& layer) { return activation_named(text_at(layer, "activation")).value_or_throw(); }

class LayerWriter {
 public:
  LayerWriter(const char* role, std::size_t place, Safetensors& file) : role_(role), place_(place), file_(file) {}

  json operator()(const DenseLayer& layer) const {
    write_affine({layer.outputs, layer.inputs}, layer.weights, layer.bias);
    return {{"type", "dense"}, {"activation", name_of(layer.activation)}};
  }
  json operator()(const ConvolutionLayer& layer) const {
    const Patches& patches = layer.patches;
    write_affine({layer.filters, patches.side, patches.side, patches.channels}, layer.weights, layer.bias);
    json object{
        {"type", "convolution"}, {"order", word_of(kOrders, patches.order)}, {"activation", name_of(layer.activation)}};
    write_patches(patches, object);
    return object;
  }
  json operator()(const PoolingLayer& layer) const {
    json object{{"type", "pooling"}, {"kind", word_of(kPoolings, layer.kind)}};
    write_patches(layer.patches, object);
    return object;
  }
  json operator()(const ResidualLayer& layer) const {
    return {
        {"type", "residual"}, {"from", layer.from}, {"width", layer.width}, {"activation", name_of(layer.activation)}};
  }

 private:
  void write_affine(std::vector<std::size_t> shape, const std::vector<float>& weights,
                    const std::vector<float>& bias) const {
    file_.tensors[tensor_name(role_, place_, "weight")] = {std::move(shape), weights};
    file_.tensors[tensor_name(role_, place_, "bias")] = {{bias.size()}, bias};
  }

  const char* role_;
  std::size_t place_;
  Safetensors& file_;
};

DenseLayer read_dense(const json& layer, Tensor weight, Tensor bias) {
  expect_keys(layer, "layer", {"type", "activation"});
  return {weight.shape[1], weight.shape[0], std::move(weight.values), std::move(bias.values), activation_at(layer)};
}

ConvolutionLayer read_convolution(const json& layer, Tensor weight, Tensor bias) {
  expect_keys(layer, "layer",
              {"type", "order", "activation", "channels", "height", "width", "side", "stride", "padding"});
  Patches patches = read_patches(layer);
  patches.order = kind_named<Patches::Order>(kOrders, text_at(layer, "order"));
  if (weight.shape != std::vector<std::size_t>{weight.shape[0], patches.side, patches.side, patches.channels})
    throw corrupt("the weights of a convolution have another shape than its patches");
  return {patches, weight.shape[0], std::move(weight.values), std::move(bias.values), activation_at(layer)};
}

PoolingLayer read_pooling(const json& layer) {
  expect_keys(layer, "layer", {"type", "kind", "channels", "height", "width", "side", "stride", "padding"});
  return {read_patches(layer), kind_named<PoolingLayer::Kind>(kPoolings, text_at(layer, "kind"))};
}

ResidualLayer read_residual(const json& layer) {
  expect_keys(layer, "layer", {"type", "from", "width", "activation"});
  return {integer_at(layer, "from"), integer_at(layer, "width"), activation_at(layer)};
}

Layer read_layer(const char* role, std::size_t place, const json& layer, Safetensors& file) {
  if (!layer.is_object()) throw corrupt("a layer is not an object");
  const std::string type = text_at(layer, "type");
  const auto weight = [&](std::size_t rank) { return take_tensor(file, tensor_name(role, place, "weight"), rank); };
  const auto bias = [&] { return take_tensor(file, tensor_name(role, place, "bias"), 1); };
  if (type == "dense") return read_dense(layer, weight(2), bias());
  if (type == "convolution") return read_convolution(layer, weight(4), bias());
  if (type == "pooling") return read_pooling(layer);
  if (type == "residual") return read_residual(layer);
  throw corrupt("a layer is of a type that this version does not know");
}

}  // namespace

json write_network(const char* role, const Network& network, Safetensors& file) {
  json layers = json::array();
  for (std::size_t i = 0; i < network.layers().size(); ++i)
    layers.push_back(std::visit(LayerWriter(role, i, file), network.layers()[i]));
  return layers;
}

Tensor take_tensor(Safetensors& file, const std::string& name, std::size_t rank) {
  auto node = file.tensors.extract(name);
  if (node.empty() || node.mapped().shape.size() != rank) throw corrupt("tensor " + name + " is missing or misshapen");
  return std::move(node.mapped());
}

Network read_network(const char* role, const json& layers, std::size_t input_width, Safetensors& file) {
  if (!layers.is_array()) throw corrupt(std::string(role) + " is not a list");
  std::vector<Layer> read;
  for (std::size_t i = 0; i < layers.size(); ++i) read.push_back(read_layer(role, i, layers[i], file));
  auto network = Network::make(input_width, std::move(read));
  if (!network) throw corrupt(std::string(role) + ": " + network.error().message);
  return std::move(*network);
}

}  // namespace sotto
