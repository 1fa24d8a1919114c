#include "sotto/train/contrastive_training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>

#include "sotto/backprop/minibatches.h"
#include "sotto/backprop/random.h"
#include "sotto/data/permutation.h"
#include "sotto/train/contrastive_loss.h"
#include "sotto/train/l1_projection.h"
#include "sotto/train/laplace_contrast.h"

namespace sotto {
namespace {

std::vector<LayerShape> convolutional_layers(const ImageShape& shape,
                                             std::span<const ConvolutionOptions> convolutions) {
  Patches patches{static_cast<std::size_t>(shape.channels), static_cast<std::size_t>(shape.height),
                  static_cast<std::size_t>(shape.width)};
  patches.order = Patches::Order::kPlanes;
  std::vector<LayerShape> layers;
  for (const ConvolutionOptions& convolution : convolutions) {
    patches.side = convolution.side;
    patches.stride = convolution.stride;
    patches.padding = convolution.side / 2;
    layers.push_back({convolution.filters, Activation::kRelu, patches, true});
    patches = {convolution.filters, patches.rows(), patches.columns()};
  }
  return layers;
}

TrainableNetwork make_encoder(std::size_t inputs, const InputSchema& input, const ContrastiveTrainingOptions& options) {
  std::vector<LayerShape> layers;
  if (input.image) layers = convolutional_layers(*input.image, options.convolutions);
  for (const std::size_t width : options.hidden)
    layers.push_back({width, Activation::kRelu, std::nullopt, options.normalised});
  layers.push_back({options.features, Activation::kRelu, std::nullopt, options.normalised});
  return {inputs, std::move(layers)};
}

TrainableNetwork make_projection(const ContrastiveTrainingOptions& options) {
  std::vector<LayerShape> layers;
  for (const std::size_t width : std::span(options.projection).first(options.projection.size() - 1))
    layers.push_back({width, Activation::kRelu, std::nullopt, options.normalised});
  layers.push_back({options.projection.back(), Activation::kNone});
  return {options.features, std::move(layers)};
}

float rate_at(std::size_t epoch, const ContrastiveTrainingOptions& options) {
  const float progress = (static_cast<float>(epoch) - 0.5F) / static_cast<float>(options.epochs);
  constexpr float kWarmUp = 0.1F;
  const float share = progress < kWarmUp
                          ? progress / kWarmUp
                          : 0.5F * (1 + std::cos(std::numbers::pi_v<float> * (progress - kWarmUp) / (1 - kWarmUp)));
  return options.learning_rate * std::max(share, 0.005F);
}

// A network, what learns it, and what each lane remembers of it.
struct Learner {
  struct Memory {
    TrainableNetwork::Pass pass;
    std::vector<float> output_gradient, input_gradient, gradient;
  };
  TrainableNetwork network;
  Adam adam;
  std::array<Memory, kLanes> lanes;

  explicit Learner(TrainableNetwork initial) : network(std::move(initial)), adam(network.parameters().size(), {}) {}
  ParameterGroup group() { return {&adam, network.parameters(), {&lanes[0].gradient, &lanes[1].gradient}}; }
  Result<Network> learnt() {
    network.settle({&lanes[0].pass, &lanes[1].pass});
    return network.to_network();
  }
};

class ContrastiveTrainer {
 public:
  ContrastiveTrainer(std::size_t records, const InputSchema& input, std::array<std::unique_ptr<Views>, kLanes> views,
                     const ContrastiveTrainingOptions& options)
      : records_(records),
        options_(options),
        encoder_(make_encoder(views[0]->width(), input, options)),
        projection_(make_projection(options)) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes_[lane].drawn_from = std::move(views[lane]);
      lanes_[lane].entropy = std::make_unique<SeededEntropy>(kLanes * options.seed + lane);
    }
    if (options.latent)
      latent_.emplace(TrainableNetwork(options.features, {{options.latent->dimension, Activation::kNone}}));
    SeededEntropy entropy(options.seed);
    for (Learner* learner : learners()) learner->network.initialise(entropy);
  }

  double run_epoch(std::size_t epoch) {
    std::vector<ParameterGroup> groups;
    for (Learner* learner : learners()) {
      learner->adam.set_learning_rate(rate_at(epoch, options_));
      groups.push_back(learner->group());
    }
    const auto order = permutation(static_cast<std::uint32_t>(records_), options_.seed + epoch);
    for (LaneMemory& lane : lanes_) lane.loss = 0;
    minibatch_epoch(order, options_.batch, groups,
                    [&](std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
                      differentiate(lane, rows, weight * static_cast<float>(rows.size()));
                    });
    return (lanes_[0].loss + lanes_[1].loss) / static_cast<double>(order.size());
  }

  // As far as the features, or the latents if there are any.
  Result<Network> learnt() {
    const auto on_views = encoder_.learnt();
    if (!on_views) return on_views.error();
    auto encoder = lanes_[0].drawn_from->on_records(*on_views);
    if (!encoder || !latent_) return encoder;
    const auto latent = latent_->learnt();
    if (!latent) return latent.error();
    return Network::stack(*encoder, *latent);
  }

 private:
  struct LaneMemory {
    std::unique_ptr<Views> drawn_from;
    std::unique_ptr<SeededEntropy> entropy;
    std::vector<float> views, latents, noise;
    ContrastiveMemory contrast;
    LaplaceContrastMemory laplace;
    double loss = 0;
  };

  std::vector<Learner*> learners() {
    std::vector<Learner*> all = {&encoder_, &projection_};
    if (latent_) all.push_back(&*latent_);
    return all;
  }

  void differentiate(std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
    if (rows.size() < 2) {  // nothing to contrast with
      for (Learner* learner : learners()) std::ranges::fill(learner->lanes[lane].gradient, 0.0F);
      return;
    }
    std::vector<float>& views = lanes_[lane].views;
    views.resize(2 * rows.size() * encoder_.network.inputs());
    lanes_[lane].drawn_from->draw(rows, *lanes_[lane].entropy, views);
    Learner::Memory& encoding = encoder_.lanes[lane];
    const auto features = encoder_.network.forward(views, 2 * rows.size(), encoding.pass);
    encoding.output_gradient.assign(features.size(), 0.0F);
    lanes_[lane].loss += static_cast<double>(rows.size()) *
                         contrast(projection_, lane, features, [&](std::span<const float> projected, auto gradient) {
                           return contrastive_loss(projected, projection_.network.outputs(), options_.temperature,
                                                   weight, lanes_[lane].contrast, gradient);
                         });
    if (latent_)
      lanes_[lane].loss += static_cast<double>(rows.size()) *
                           contrast(*latent_, lane, features, [&](std::span<const float> unbounded, auto gradient) {
                             return contrast_latents(lanes_[lane], unbounded, weight, gradient);
                           });
    encoder_.network.backward(encoding.output_gradient, encoding.pass, encoding.gradient, {});
  }

  // The loss of what `head` makes of the features; adds to the features' gradient.
  template <class Loss>
  double contrast(Learner& head, std::size_t lane, std::span<const float> features, const Loss& loss) {
    Learner::Memory& memory = head.lanes[lane];
    const auto outputs = head.network.forward(features, features.size() / options_.features, memory.pass);
    memory.output_gradient.resize(outputs.size());
    memory.input_gradient.resize(features.size());
    const double value = loss(outputs, std::span(memory.output_gradient));
    head.network.backward(memory.output_gradient, memory.pass, memory.gradient, memory.input_gradient);
    std::vector<float>& sum = encoder_.lanes[lane].output_gradient;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += memory.input_gradient[i];
    return value;
  }

  double contrast_latents(LaneMemory& lane, std::span<const float> unbounded, float weight,
                          std::span<float> gradient) const {
    const LatentOptions& latent = *options_.latent;
    const float scale = 2 * latent.l1_radius / latent.epsilon_pretrain;
    lane.latents.assign(unbounded.begin(), unbounded.end());
    project_to_l1_ball(latent.l1_radius, latent.dimension, lane.latents);
    lane.noise.resize(unbounded.size());
    for (float& noise : lane.noise) noise = scale * draw_standard_laplace(*lane.entropy);
    const double loss =
        laplace_contrast(lane.latents, latent.dimension, lane.noise, scale, weight, lane.laplace, gradient);
    chain_l1_projection(latent.l1_radius, latent.dimension, unbounded, gradient);
    return loss;
  }

  std::size_t records_;
  const ContrastiveTrainingOptions& options_;
  Learner encoder_, projection_;
  std::optional<Learner> latent_;
  std::array<LaneMemory, kLanes> lanes_;
};

Status check(const Dataset& auxiliary, const InputSchema& input, const ContrastiveTrainingOptions& options) {
  if (auxiliary.rows < 4)
    return refuse("auxiliary data: contrast needs at least 4 records, got " + std::to_string(auxiliary.rows));
  if (options.projection.empty() || options.epochs == 0 || options.batch < 4 || !(options.temperature > 0))
    return refuse(
        "contrastive training: needs a projection, at least 1 epoch, a batch of at least 4 and a positive "
        "temperature");
  if (!input.image && !options.convolutions.empty())
    return refuse("convolutions: are of images only, got a table of columns");
  for (const ConvolutionOptions& convolution : options.convolutions)
    if (convolution.filters == 0 || convolution.side == 0 || convolution.stride == 0 || convolution.side % 2 == 0)
      return refuse("convolutions: each needs filters, a stride and a side that is odd, got " +
                    std::to_string(convolution.filters) + " filters of side " + std::to_string(convolution.side));
  if (options.latent &&
      (options.latent->dimension == 0 || !(options.latent->l1_radius > 0) || !(options.latent->epsilon_pretrain > 0)))
    return refuse("contrastive training: a latent needs a dimension, an l1_radius and an epsilon_pretrain above 0");
  return {};
}

}  // namespace

void make_convolutional(ContrastiveTrainingOptions& options, std::size_t filters) {
  options.convolutions = {{filters, 5}, {2 * filters, 3}, {4 * filters, 3}};
  options.hidden = {};
  options.normalised = true;
  options.batch = 768;
  options.learning_rate = 3e-3F;
}

void make_tabular(ContrastiveTrainingOptions& options) {
  options.hidden = {128};
  options.features = 64;
  options.projection = {64, 32};
  options.temperature = 1;
  options.batch = 256;
  options.epochs = 50;
}

Result<Network> train_contrastive(const Dataset& auxiliary, const InputSchema& input,
                                  const ContrastiveTrainingOptions& options, const LossProgress& progress) {
  if (const Status status = check(auxiliary, input, options); !status) return status.error();
  std::array<std::unique_ptr<Views>, kLanes> views;
  for (auto& lane : views) {
    auto made = make_views(auxiliary, input, options.views);
    if (!made) return made.error();
    lane = std::move(*made);
  }
  ContrastiveTrainer trainer(auxiliary.rows, input, std::move(views), options);
  run_epochs(trainer, options.epochs, progress);
  return trainer.learnt();
}

}  // namespace sotto
