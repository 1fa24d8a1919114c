// A network in a safetensors file: its layers as JSON, its weights as tensors named "<role>.<layer>.weight" and
// ".bias".
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "sotto/encoder/network.h"
#include "sotto/mechanism/safetensors.h"

namespace sotto {

nlohmann::json write_network(const char* role, const Network& network, Safetensors& file);

// Takes the network's tensors out of the file, so that what is left at the end was not described. Throws Failure.
Network read_network(const char* role, const nlohmann::json& layers, std::size_t input_width, Safetensors& file);
Tensor take_tensor(Safetensors& file, const std::string& name, std::size_t rank);

}  // namespace sotto
