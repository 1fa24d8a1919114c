#include "sotto/mechanism/network_json.h"

#include <utility>
#include <vector>

#include "sotto/mechanism/json_fields.h"

namespace sotto {

using nlohmann::json;

namespace {

// `role` is "encoder" or "decoder".
std::string tensor_name(const char* role, std::size_t layer, const char* part) {
  return std::string(role) + "." + std::to_string(layer) + "." + part;
}

}  // namespace

json write_network(const char* role, const Network& network, Safetensors& file) {
  json layers = json::array();
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    const DenseLayer& layer = network.layers()[i];
    file.tensors[tensor_name(role, i, "weight")] = {{layer.outputs, layer.inputs}, layer.weights};
    file.tensors[tensor_name(role, i, "bias")] = {{layer.outputs}, layer.bias};
    layers.push_back({{"type", "dense"}, {"activation", name_of(layer.activation)}});
  }
  return layers;
}

Tensor take_tensor(Safetensors& file, const std::string& name, std::size_t rank) {
  auto node = file.tensors.extract(name);
  if (node.empty() || node.mapped().shape.size() != rank) throw corrupt("tensor " + name + " is missing or misshapen");
  return std::move(node.mapped());
}

Network read_network(const char* role, const json& layers, std::size_t input_width, Safetensors& file) {
  if (!layers.is_array()) throw corrupt(std::string(role) + " is not a list");
  std::vector<DenseLayer> dense;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    expect_keys(layers[i], "layer", {"type", "activation"});
    if (text_at(layers[i], "type") != "dense") throw corrupt("a layer is not dense");
    Tensor weight = take_tensor(file, tensor_name(role, i, "weight"), 2);
    Tensor bias = take_tensor(file, tensor_name(role, i, "bias"), 1);
    dense.push_back({weight.shape[1], weight.shape[0], std::move(weight.values), std::move(bias.values),
                     activation_named(text_at(layers[i], "activation")).value_or_throw()});
  }
  auto network = Network::make(input_width, std::move(dense));
  if (!network) throw corrupt(std::string(role) + ": " + network.error().message);
  return std::move(*network);
}

}  // namespace sotto
