// The encoder of the papers' V-RLM in its size, 784 values through 400, 150 and 50 to 8, with weights that nobody
// learnt: for what a record costs.
#pragma once

#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "sotto/encoder/network.h"

namespace sotto {

inline Network papers_encoder() {
  const std::size_t widths[] = {784, 400, 150, 50, 8};
  std::vector<Layer> layers;
  for (std::size_t i = 0; i + 1 < std::size(widths); ++i) {
    DenseLayer layer{widths[i], widths[i + 1], {}, {}, i < 3 ? Activation::kElu : Activation::kNone};
    layer.bias.assign(layer.outputs, 0.0625F);
    for (std::size_t w = 0; w < layer.inputs * layer.outputs; ++w)
      layer.weights.push_back(std::sin(static_cast<float>(w)) / 16);
    layers.emplace_back(std::move(layer));
  }
  return Network::make(784, std::move(layers)).value_or_throw();
}

}  // namespace sotto
