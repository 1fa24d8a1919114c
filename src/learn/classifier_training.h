// Trains a classifier on inputs whose labels are known only in part: for each record a row of numbers, one a class.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/backprop/minibatches.h"
#include "sotto/backprop/trainable_network.h"

namespace sotto {

enum class Targets {
  kLikelihoods,  // t_y = p(what was observed | y); the loss is −log Σ t_y·p(y | x) [Man21, Eq. 12]. One-hot: the plain
                 // one.
  kCounts,  // t_y = how often y is expected at this record; the loss is −Σ t_y·log p(y | x)
};

// count × classes; soft maxima of the network's outputs.
std::vector<float> class_probabilities(const TrainableNetwork& network, std::span<const float> inputs,
                                       std::size_t count);

// Mean loss over the records.
double mean_loss(const TrainableNetwork& network, std::span<const float> inputs, std::span<const float> targets,
                 Targets kind);

class ClassifierTrainer {
 public:
  struct Options {
    float learning_rate = 1e-3F;
    float weight_decay = 0;  // decoupled: each step shrinks every parameter by learning_rate · weight_decay
    std::size_t batch = 128;
    std::uint64_t seed = 1;
  };

  // `network` is trained in place and must outlive this.
  ClassifierTrainer(TrainableNetwork& network, const Options& options);

  // One pass over all records in a fresh order. `inputs` is count × network.inputs(), `targets` count × outputs().
  void run_epoch(std::span<const float> inputs, std::span<const float> targets, Targets kind);

 private:
  void differentiate(std::size_t lane, std::span<const std::uint32_t> rows, float weight, std::span<const float> inputs,
                     std::span<const float> targets, Targets kind);

  struct LaneMemory {
    TrainableNetwork::Pass pass;
    std::vector<float> inputs, output_gradient, gradient;
  };

  TrainableNetwork& network_;
  Options options_;
  Adam adam_;
  std::size_t epochs_ = 0;
  std::array<LaneMemory, kLanes> lanes_;
};

}  // namespace sotto
