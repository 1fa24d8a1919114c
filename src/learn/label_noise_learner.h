// Learns a classifier that acts on what it was trained on: reports' representations or decoded reports, marginalising
// the label's noise alone [Man21, Eq. 12]; with labels that carry none, ordinary training. Stops by the loss of
// held-out reports.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/learn/denoising_pass.h"

namespace sotto {

// Rows for a classifier and the labels reported with them.
struct LabelledInputs {
  std::span<const float> inputs;
  std::span<const std::int32_t> labels;
};

struct LabelNoiseOptions {
  std::vector<std::size_t> hidden = {50};
  std::size_t max_epochs = 60, patience = 5;
  float learning_rate = 1e-3F;
  std::size_t batch = 128;
  std::uint64_t seed = 1;
};

// Inputs are standardised (zero mean, unit variance over the training rows); the network that comes back takes them
// raw.
TrainableNetwork learn_under_label_noise(const LabelledInputs& training, const LabelledInputs& held_out,
                                         const LabelNoise& noise, const LabelNoiseOptions& options);

}  // namespace sotto
