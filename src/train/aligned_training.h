// An encoder for the Laplace channel that sends every cluster of the data to a vertex of the L1 ball, where noise
// confuses it least with the others: what [Man21, App. H] finds to be optimal, learnt without labels. The clusters come
// from outside, for example from a contrastive encoder (contrastive_training.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/data/dataset.h"
#include "sotto/train/loss_epochs.h"

namespace sotto {

struct AlignedTrainingOptions {
  std::size_t dimension = 8;  // at most 2·dimension codes have a vertex of their own
  std::vector<std::size_t> hidden = {400, 150, 50};
  float l1_radius = 1;
  float epsilon_pretrain = 10;  // noise while training, Laplace of scale 2·l1_radius / epsilon_pretrain
  std::size_t draws = 4;        // of noise for each record and epoch
  std::size_t batch = 128;
  float learning_rate = 1e-3F;
  std::size_t epochs = 8;
  std::uint64_t seed = 1;
};

// Code c's vertex: opposite ends of one axis after another [Man21, Eq. 32, its indices mended].
std::vector<float> vertex_of(std::size_t code, std::size_t dimension, float l1_radius);

// The loss is the mean −log of the posterior of the right code given the noisy latent, all codes equally likely.
Result<Network> train_aligned(const Dataset& auxiliary, std::span<const std::uint32_t> code_of_record,
                              std::size_t codes, const AlignedTrainingOptions& options, const LossProgress& progress);

}  // namespace sotto
