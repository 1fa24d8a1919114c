// The variational Laplace model [Man21, §3.1.1; Man22, ch. 4]: encoder, L1 projection, Laplace posterior of one scale,
// decoder; and one evaluation of its objective with all gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/train/likelihood.h"

namespace sotto {

enum class PosteriorScale {
  kFixed,   // b = 2·l1_radius / epsilon_pretrain
  kLearnt,  // a scalar that starts from the prior's scale
  kZero,    // no noise: an autoencoder
};

struct VariationalModelOptions {
  std::size_t dimension = 8;
  std::vector<std::size_t> hidden = {400, 150, 50};  // of the encoder; the decoder mirrors them; none: a linear model
  float l1_radius = 5;
  PosteriorScale scale = PosteriorScale::kFixed;
  float epsilon_pretrain = 0;  // for kFixed
  Likelihood likelihood = Likelihood::kBernoulli;
  float extra_reconstructions = 0;  // AutoGen's m: the reconstruction counts 1 + m times [Man22, Eq. 3.10]
};

// Per record, in nats, features summed.
struct Objective {
  double reconstruction = 0, divergence = 0, latent_norm = 0;
  double elbo() const { return reconstruction - divergence; }
};

class VariationalModel {
 public:
  VariationalModel(std::size_t inputs, const VariationalModelOptions& options, SeededEntropy& entropy);

  const VariationalModelOptions& options() const { return options_; }
  TrainableNetwork& encoder() { return encoder_; }
  TrainableNetwork& decoder() { return decoder_; }
  const TrainableNetwork& encoder() const { return encoder_; }
  const TrainableNetwork& decoder() const { return decoder_; }
  float& log_scale() { return log_scale_; }
  float log_scale() const { return log_scale_; }
  float scale() const;  // b

  // What one thread needs for an evaluation, and where it leaves the gradients.
  struct Lap {
    TrainableNetwork::Pass encoding, decoding;
    std::vector<float> means, noise, latents, output_gradient, latent_gradient;
    std::vector<float> encoder_gradient, decoder_gradient, scale_gradient;  // the last: of log b
  };

  // The objective of `count` records, summed (not averaged), with noise drawn from `entropy`.
  Objective evaluate(std::span<const float> records, std::size_t count, SeededEntropy& entropy, Lap& lap) const;

  // The same, and the gradients of −weight·((1+m)·reconstruction − divergence), summed over the records, in the lap.
  Objective differentiate(std::span<const float> records, std::size_t count, float weight, SeededEntropy& entropy,
                          Lap& lap) const;

 private:
  Objective pass_forward(std::span<const float> records, std::size_t count, float weight, SeededEntropy& entropy,
                         Lap& lap) const;

  VariationalModelOptions options_;
  TrainableNetwork encoder_, decoder_;
  float log_scale_ = 0;
};

}  // namespace sotto
