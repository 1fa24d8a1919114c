// Forward-only networks: what a data owner's device runs to turn a record into an encoding. Learnt and therefore not
// trusted: nothing here bears on privacy. No layers at all is the identity; one layer without activation is linear.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

enum class Activation { kNone, kRelu, kElu, kTanh };

std::string_view name_of(Activation activation);
Result<Activation> activation_named(std::string_view name);

// y = activation(W·x + b).
struct DenseLayer {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::vector<float> weights;  // outputs × inputs, row by row
  std::vector<float> bias;     // outputs
  Activation activation = Activation::kNone;
};

class Network {
 public:
  // Layers must fit one another and hold finite numbers.
  static Result<Network> make(std::size_t input_width, std::vector<DenseLayer> layers);

  std::size_t input_width() const { return input_width_; }
  std::size_t output_width() const { return layers_.empty() ? input_width_ : layers_.back().outputs; }
  const std::vector<DenseLayer>& layers() const { return layers_; }
  std::size_t multiplications_per_record() const;

  // Intermediate values, kept by the caller so that a steady stream of records allocates nothing.
  class Workspace {
    friend class Network;
    std::vector<float> front_, back_;
  };

  // Encodes `count` records, stored one after another. Sizes: records = count·input_width, encodings =
  // count·output_width.
  void encode(std::span<const float> records, std::size_t count, std::span<float> encodings,
              Workspace& workspace) const;

 private:
  Network(std::size_t input_width, std::vector<DenseLayer> layers);

  std::size_t input_width_;
  std::vector<DenseLayer> layers_;
};

}  // namespace sotto
