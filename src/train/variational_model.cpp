#include "sotto/train/variational_model.h"

#include <algorithm>
#include <cmath>

#include "sotto/backprop/random.h"
#include "sotto/train/l1_projection.h"
#include "sotto/train/laplace_divergence.h"

namespace sotto {
namespace {

TrainableNetwork make_encoder(std::size_t inputs, const VariationalModelOptions& options) {
  return TrainableNetwork::perceptron(inputs, options.hidden, options.dimension, Activation::kRelu);
}

TrainableNetwork make_decoder(std::size_t inputs, const VariationalModelOptions& options) {
  const std::vector<std::size_t> mirrored(options.hidden.rbegin(), options.hidden.rend());
  return TrainableNetwork::perceptron(options.dimension, mirrored, inputs, Activation::kRelu);
}

}  // namespace

VariationalModel::VariationalModel(std::size_t inputs, const VariationalModelOptions& options, SeededEntropy& entropy)
    : options_(options), encoder_(make_encoder(inputs, options)), decoder_(make_decoder(inputs, options)) {
  encoder_.initialise(entropy);
  decoder_.initialise(entropy);
  log_scale_ = std::log(options.scale == PosteriorScale::kFixed ? 2 * options.l1_radius / options.epsilon_pretrain
                                                                : kPriorScale);
}

float VariationalModel::scale() const { return options_.scale == PosteriorScale::kZero ? 0 : std::exp(log_scale_); }

Objective VariationalModel::pass_forward(std::span<const float> records, std::size_t count, float weight,
                                         SeededEntropy& entropy, Lap& lap) const {
  const auto unbounded = encoder_.forward(records, count, lap.encoding);
  lap.means.assign(unbounded.begin(), unbounded.end());
  project_to_l1_ball(options_.l1_radius, options_.dimension, lap.means);
  lap.noise.resize(lap.means.size());
  lap.latents.resize(lap.means.size());
  const float b = scale();
  for (std::size_t i = 0; i < lap.means.size(); ++i) {
    lap.noise[i] = b > 0 ? draw_standard_laplace(entropy) : 0;
    lap.latents[i] = lap.means[i] + b * lap.noise[i];
  }
  const auto outputs = decoder_.forward(lap.latents, count, lap.decoding);
  lap.output_gradient.resize(outputs.size());
  Objective objective;
  objective.reconstruction = log_likelihood(options_.likelihood, records, outputs,
                                            -weight * (1 + options_.extra_reconstructions), lap.output_gradient);
  objective.latent_norm = mean_l1_norm(options_.dimension, lap.means) * static_cast<double>(count);
  return objective;
}

Objective VariationalModel::evaluate(std::span<const float> records, std::size_t count, SeededEntropy& entropy,
                                     Lap& lap) const {
  Objective objective = pass_forward(records, count, 0, entropy, lap);
  lap.latent_gradient.assign(lap.means.size(), 0);
  objective.divergence = laplace_divergence(lap.means, scale(), 0, lap.latent_gradient).value;
  return objective;
}

Objective VariationalModel::differentiate(std::span<const float> records, std::size_t count, float weight,
                                          SeededEntropy& entropy, Lap& lap) const {
  if (count == 0) {
    for (auto* gradient : {&lap.encoder_gradient, &lap.decoder_gradient, &lap.scale_gradient})
      std::fill(gradient->begin(), gradient->end(), 0.0F);
    return {};
  }
  Objective objective = pass_forward(records, count, weight, entropy, lap);
  lap.decoder_gradient.resize(decoder_.parameters().size());
  lap.encoder_gradient.resize(encoder_.parameters().size());
  lap.latent_gradient.resize(lap.latents.size());
  decoder_.backward(lap.output_gradient, lap.decoding, lap.decoder_gradient, lap.latent_gradient);
  float along_noise = 0;
  for (std::size_t i = 0; i < lap.noise.size(); ++i) along_noise += lap.latent_gradient[i] * lap.noise[i];
  const LaplaceDivergence divergence = laplace_divergence(lap.means, scale(), weight, lap.latent_gradient);
  objective.divergence = divergence.value;
  lap.scale_gradient.assign(1, scale() * (along_noise + weight * static_cast<float>(divergence.scale_gradient)));
  chain_l1_projection(options_.l1_radius, options_.dimension, lap.encoding.output(), lap.latent_gradient);
  encoder_.backward(lap.latent_gradient, lap.encoding, lap.encoder_gradient, {});
  return objective;
}

}  // namespace sotto
