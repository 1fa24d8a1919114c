// A contrastive encoder for images, dense or convolutional: two augmented views of the same record should lie together,
// views of different ones apart. Trained on unlabelled auxiliary records. It finds the clusters of the data by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/data/dataset.h"
#include "sotto/train/augmentation.h"
#include "sotto/train/loss_epochs.h"

namespace sotto {

// One layer of a convolutional encoder: padded so that only the stride makes the image smaller, normalised over the
// batch, then a ReLU.
struct ConvolutionOptions {
  std::size_t filters, side, stride = 2;
};

struct ContrastiveTrainingOptions {
  std::vector<ConvolutionOptions> convolutions = {};
  std::vector<std::size_t> hidden = {512, 256};  // dense layers after them
  bool normalised = false;                       // batch normalisation of the dense layers and of the head as well
  std::size_t features = 128;
  std::vector<std::size_t> projection = {128, 64};  // head that only the loss sees
  AugmentationOptions augmentation;
  float temperature = 0.2F;
  std::size_t batch = 512;      // each of two lanes contrasts its half
  float learning_rate = 2e-3F;  // rises over the first tenth of the epochs, then falls along half a cosine
  std::size_t epochs = 20;
  std::uint64_t seed = 1;
};

// Three convolutions, each of which halves the image, instead of the hidden layers, and normalised batches throughout.
void make_convolutional(ContrastiveTrainingOptions& options);

// The encoder, whose `features` outputs pass through a ReLU as they did in training.
Result<Network> train_contrastive(const Dataset& auxiliary, const ImageShape& shape,
                                  const ContrastiveTrainingOptions& options, const LossProgress& progress);

}  // namespace sotto
