// A network that can be trained, of dense and convolutional layers: the parameters in one flat array, a forward pass
// that remembers what the backward pass needs, and gradients with respect to parameters and inputs. `encoder/network.h`
// is what a trained one becomes on a device.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sotto/backprop/batch_norm.h"
#include "sotto/backprop/convolution.h"
#include "sotto/backprop/lanes.h"
#include "sotto/encoder/network.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {

struct LayerShape {
  std::size_t outputs;  // filters, for a convolution
  Activation activation;
  std::optional<Patches> convolution = std::nullopt;  // else the layer is dense
  bool normalised = false;                            // over the batch, before the activation
};

class TrainableNetwork {
 public:
  // All parameters are zero.
  TrainableNetwork(std::size_t inputs, std::vector<LayerShape> layers);

  // Hidden layers of the given widths with `activation`, then a linear layer.
  static TrainableNetwork perceptron(std::size_t inputs, std::span<const std::size_t> hidden, std::size_t outputs,
                                     Activation activation);

  // Weights and biases uniform in ±1/√inputs of the layer, as is common; where a batch is normalised, to mean 0 and
  // variance 1.
  void initialise(SeededEntropy& entropy);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return views_.back().outputs; }
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
    friend class TrainableNetwork;
    std::span<const float> input_of(std::size_t layer) const { return layer == 0 ? input_ : outputs_[layer - 1]; }

    std::span<const float> input_;  // belongs to the caller until backward() has returned
    std::size_t count_ = 0;
    std::vector<std::vector<float>> outputs_;    // of each layer
    std::vector<std::vector<float>> gradients_;  // with respect to the same
    std::vector<BatchStatistics> statistics_;    // of the layers that are normalised
    ConvolutionMemory convolution_;
  };

  // Returns count × outputs(). Batches are normalised by their own statistics, as in training.
  std::span<const float> forward(std::span<const float> inputs, std::size_t count, Pass& pass) const;

  // From d loss / d output of the pass: writes d loss / d parameters and, unless `input_gradient` is empty, d loss / d
  // input. Both are overwritten.
  void backward(std::span<const float> output_gradient, Pass& pass, std::span<float> parameter_gradient,
                std::span<float> input_gradient) const;

  // Takes over the statistics that the passes of two lanes have gathered in training. Needed before to_network() when a
  // layer is normalised.
  void settle(const std::array<const Pass*, kLanes>& passes);

  // The network without the rest of the batch: normalisation is folded into weights and biases.
  Result<Network> to_network() const;

 private:
  struct LayerView {
    std::size_t inputs, outputs;            // of the whole layer
    std::size_t row_inputs, row_outputs;    // of its matrix, which a convolution applies to every patch
    std::size_t weights, bias, scale, end;  // where they begin among the parameters; no scale unless normalised
    std::size_t rows(std::size_t count) const { return count * (outputs / row_outputs); }
  };
  std::span<const float> part(std::size_t begin, std::size_t end) const {
    return std::span(parameters_).subspan(begin, end - begin);
  }
  Normalisation normalisation(std::size_t layer) const;
  void apply(std::size_t layer, std::span<const float> input, Pass& pass) const;

  std::size_t inputs_;
  std::vector<LayerShape> layers_;
  std::vector<LayerView> views_;
  std::vector<float> parameters_;
  struct Settled {
    std::vector<float> mean, variance;
  };
  std::vector<Settled> settled_;  // one for each layer, empty unless it is normalised
};

}  // namespace sotto
