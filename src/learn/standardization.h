// Zero mean and unit variance for a network's inputs, and the way to fold both into its first layer afterwards.
#pragma once

#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"

namespace sotto {

struct Standardization {
  std::vector<float> mean, scale;  // x → (x − mean) · scale; a constant feature has scale 1

  static Standardization of(std::span<const float> rows, std::size_t width);
  std::vector<float> apply(std::span<const float> rows) const;

  // Changes the first layer so that the network does on raw inputs what it did on standardised ones.
  void fold_into(TrainableNetwork& network) const;
};

}  // namespace sotto
