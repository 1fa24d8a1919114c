// A contrastive encoder for images, dense or convolutional, or for tables: two views of the same record (views.h)
// should lie together, views of different ones apart. Trained on unlabelled auxiliary records. It finds the clusters of
// the data by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/data/dataset.h"
#include "sotto/train/loss_epochs.h"
#include "sotto/train/views.h"

namespace sotto {

// One layer of a convolutional encoder: padded so that only the stride makes the image smaller, normalised over the
// batch, then a ReLU.
struct ConvolutionOptions {
  std::size_t filters, side, stride = 2;
};

// A latent for the Laplace channel, learnt together with the features: linear in them, forced into the L1 ball, and
// contrasted through the noise of Laplace scale 2·l1_radius / epsilon_pretrain.
struct LatentOptions {
  std::size_t dimension = 8;
  float l1_radius = 1;
  float epsilon_pretrain = 10;
};

// The defaults suit small images.
struct ContrastiveTrainingOptions {
  std::vector<ConvolutionOptions> convolutions = {};
  std::vector<std::size_t> hidden = {512, 256};  // dense layers after them
  bool normalised = false;                       // batch normalisation of the dense layers and of the head as well
  std::size_t features = 128;
  std::vector<std::size_t> projection = {128, 64};  // head that only the loss sees
  std::optional<LatentOptions> latent = {};
  ViewOptions views = {};
  float temperature = 0.2F;
  std::size_t batch = 512;      // each of two lanes contrasts its half
  float learning_rate = 2e-3F;  // rises over the first tenth of the epochs, then falls along half a cosine
  std::size_t epochs = 20;
  std::uint64_t seed = 1;
};

// Three convolutions, each of which halves the image and doubles the filters, instead of the hidden layers, and
// normalised batches throughout, which allow for longer steps. Twice the filters are nearly four times the work.
inline constexpr std::size_t kFilters = 16, kManyFilters = 32;
void make_convolutional(ContrastiveTrainingOptions& options, std::size_t filters = kFilters);

// A smaller network, and more and smaller batches: a table has fewer values, and often fewer records. The temperature
// is that of [BJTM22]: a low one tells single records apart rather than kinds.
void make_tabular(ContrastiveTrainingOptions& options);

// The encoder as far as its features, which pass through a ReLU as they did in training; or as far as its latents.
Result<Network> train_contrastive(const Dataset& auxiliary, const InputSchema& input,
                                  const ContrastiveTrainingOptions& options, const LossProgress& progress);

}  // namespace sotto
