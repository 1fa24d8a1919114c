// A contrastive encoder for images: two augmented views of the same record should lie together, views of different ones
// apart. Trained on unlabelled auxiliary records. It finds the clusters of the data by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/backprop/dense_network.h"
#include "sotto/data/dataset.h"
#include "sotto/train/augmentation.h"
#include "sotto/train/loss_epochs.h"

namespace sotto {

struct ContrastiveTrainingOptions {
  std::vector<std::size_t> hidden = {512, 256};
  std::size_t features = 128;
  std::vector<std::size_t> projection = {128, 64};  // head that only the loss sees
  AugmentationOptions augmentation;
  float temperature = 0.2F;
  std::size_t batch = 512;      // each of two lanes contrasts its half
  float learning_rate = 2e-3F;  // rises over the first tenth of the epochs, then falls along half a cosine
  std::size_t epochs = 20;
  std::uint64_t seed = 1;
};

// The encoder, whose `features` outputs pass through a ReLU as they did in training.
Result<DenseNetwork> train_contrastive(const Dataset& auxiliary, const ImageShape& shape,
                                       const ContrastiveTrainingOptions& options, const LossProgress& progress);

}  // namespace sotto
