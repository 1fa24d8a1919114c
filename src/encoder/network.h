// Forward-only networks: what a data owner's device runs to turn a record into an encoding. Learnt and therefore not
// trusted: nothing here bears on privacy. No layers at all is the identity; one dense layer without activation is
// linear.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/encoder/layers.h"

namespace sotto {

class Network {
 public:
  // Layers must be well formed and fit one another.
  static Result<Network> make(std::size_t input_width, std::vector<Layer> layers);

  // What `above` makes of what `below` gives.
  static Result<Network> stack(const Network& below, const Network& above);

  std::size_t input_width() const { return input_width_; }
  std::size_t output_width() const { return layers_.empty() ? input_width_ : outputs_of(layers_.back()); }
  const std::vector<Layer>& layers() const { return layers_; }
  std::size_t multiplications_per_record() const;

  // Intermediate values, kept by the caller so that a steady stream of records allocates nothing.
  class Workspace {
    friend class Network;
    std::vector<std::vector<float>> outputs_;  // of every layer but the last
    std::vector<float> patches_;
  };

  // Encodes `count` records, stored one after another. Sizes: records = count·input_width, encodings =
  // count·output_width.
  void encode(std::span<const float> records, std::size_t count, std::span<float> encodings,
              Workspace& workspace) const;

 private:
  Network(std::size_t input_width, std::vector<Layer> layers);
  void encode_block(std::span<const float> records, std::size_t count, std::span<float> encodings,
                    Workspace& workspace) const;

  std::size_t input_width_;
  std::vector<Layer> layers_;
};

}  // namespace sotto
