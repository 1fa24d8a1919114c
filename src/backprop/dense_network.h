// A dense network that can be trained: the parameters in one flat array, a forward pass that remembers what the
// backward pass needs, and gradients with respect to parameters and inputs. `encoder/network.h` is what a trained one
// becomes on a device.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/encoder/network.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {

struct LayerShape {
  std::size_t outputs;
  Activation activation;
};

class DenseNetwork {
 public:
  // All parameters are zero.
  DenseNetwork(std::size_t inputs, std::vector<LayerShape> layers);

  // Hidden layers of the given widths with `activation`, then a linear layer.
  static DenseNetwork perceptron(std::size_t inputs, std::span<const std::size_t> hidden, std::size_t outputs,
                                 Activation activation);

  // Weights and biases uniform in ±1/√inputs of the layer, as is common.
  void initialise(SeededEntropy& entropy);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return layers_.back().outputs; }
  const std::vector<LayerShape>& layers() const { return layers_; }
  std::span<float> parameters() { return parameters_; }
  std::span<const float> parameters() const { return parameters_; }

  struct FirstLayer {
    std::span<float> weights;  // outputs × inputs
    std::span<float> bias;
  };
  FirstLayer first_layer();

  // The memory of one pass, kept by the caller: threads share the network, each with a pass of its own.
  class Pass {
   public:
    std::span<const float> output() const { return {outputs_.back().data(), outputs_.back().size()}; }

   private:
    friend class DenseNetwork;
    const float* input_ = nullptr;  // belongs to the caller until backward() has returned
    std::size_t count_ = 0;
    std::vector<std::vector<float>> outputs_;    // of each layer
    std::vector<std::vector<float>> gradients_;  // with respect to the same
  };

  // Returns count × outputs().
  std::span<const float> forward(std::span<const float> inputs, std::size_t count, Pass& pass) const;

  // From d loss / d output of the pass: writes d loss / d parameters and, unless `input_gradient` is empty, d loss / d
  // input. Both are overwritten.
  void backward(std::span<const float> output_gradient, Pass& pass, std::span<float> parameter_gradient,
                std::span<float> input_gradient) const;

  Result<Network> to_network() const;

 private:
  struct LayerView {
    std::size_t inputs, outputs, weights, bias;  // the last two: where they begin among the parameters
  };
  LayerView view_of(std::size_t layer) const { return views_[layer]; }

  std::size_t inputs_;
  std::vector<LayerShape> layers_;
  std::vector<LayerView> views_;
  std::vector<float> parameters_;
};

}  // namespace sotto
