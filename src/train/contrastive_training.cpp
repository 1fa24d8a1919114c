#include "sotto/train/contrastive_training.h"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "sotto/backprop/minibatches.h"
#include "sotto/data/permutation.h"
#include "sotto/train/contrastive_loss.h"

namespace sotto {
namespace {

TrainableNetwork make_encoder(const ImageShape& shape, const ContrastiveTrainingOptions& options) {
  Patches patches{static_cast<std::size_t>(shape.channels), static_cast<std::size_t>(shape.height),
                  static_cast<std::size_t>(shape.width)};
  const std::size_t inputs = patches.image_size();
  patches.order = Patches::Order::kPlanes;
  std::vector<LayerShape> layers;
  for (const ConvolutionOptions& convolution : options.convolutions) {
    patches.side = convolution.side;
    patches.stride = convolution.stride;
    patches.padding = convolution.side / 2;
    layers.push_back({convolution.filters, Activation::kRelu, patches, true});
    patches = {convolution.filters, patches.rows(), patches.columns()};
  }
  for (const std::size_t width : options.hidden)
    layers.push_back({width, Activation::kRelu, std::nullopt, options.normalised});
  layers.push_back({options.features, Activation::kRelu, std::nullopt, options.normalised});
  return {inputs, std::move(layers)};
}

TrainableNetwork make_head(const ContrastiveTrainingOptions& options) {
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

class ContrastiveTrainer {
 public:
  ContrastiveTrainer(const Dataset& auxiliary, const ImageShape& shape, const ContrastiveTrainingOptions& options)
      : auxiliary_(auxiliary),
        options_(options),
        encoder_(make_encoder(shape, options)),
        head_(make_head(options)),
        encoder_adam_(encoder_.parameters().size(), {}),
        head_adam_(head_.parameters().size(), {}),
        lanes_{LaneMemory(shape, options, 2 * options.seed), LaneMemory(shape, options, 2 * options.seed + 1)} {
    SeededEntropy entropy(options.seed);
    encoder_.initialise(entropy);
    head_.initialise(entropy);
  }

  double run_epoch(std::size_t epoch) {
    for (Adam* adam : {&encoder_adam_, &head_adam_}) adam->set_learning_rate(rate_at(epoch, options_));
    const auto order = permutation(static_cast<std::uint32_t>(auxiliary_.rows), options_.seed + epoch);
    const std::array groups{
        ParameterGroup{
            &encoder_adam_, encoder_.parameters(), {&lanes_[0].encoder_gradient, &lanes_[1].encoder_gradient}},
        ParameterGroup{&head_adam_, head_.parameters(), {&lanes_[0].head_gradient, &lanes_[1].head_gradient}}};
    for (LaneMemory& lane : lanes_) lane.loss = 0;
    minibatch_epoch(order, options_.batch, groups,
                    [&](std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
                      differentiate(lanes_[lane], rows, weight * static_cast<float>(rows.size()));
                    });
    return (lanes_[0].loss + lanes_[1].loss) / static_cast<double>(order.size());
  }

  Result<Network> encoder() {
    encoder_.settle({&lanes_[0].encoding, &lanes_[1].encoding});
    return encoder_.to_network();
  }

 private:
  struct LaneMemory {
    LaneMemory(const ImageShape& shape, const ContrastiveTrainingOptions& options, std::uint64_t seed)
        : augmentation(shape, options.augmentation), entropy(std::make_unique<SeededEntropy>(seed)) {}

    ImageAugmentation augmentation;
    std::unique_ptr<SeededEntropy> entropy;
    std::vector<float> views, view_gradient, feature_gradient, encoder_gradient, head_gradient;
    TrainableNetwork::Pass encoding, heading;
    ContrastiveMemory memory;
    double loss = 0;
  };

  void differentiate(LaneMemory& lane, std::span<const std::uint32_t> rows, float weight) {
    if (rows.size() < 2) {  // nothing to contrast with
      std::fill(lane.encoder_gradient.begin(), lane.encoder_gradient.end(), 0.0F);
      std::fill(lane.head_gradient.begin(), lane.head_gradient.end(), 0.0F);
      return;
    }
    const std::size_t width = auxiliary_.width, views = 2 * rows.size();
    lane.views.resize(views * width);
    for (std::size_t i = 0; i < views; ++i)
      lane.augmentation.apply(std::span(auxiliary_.values).subspan(rows[i % rows.size()] * width, width), *lane.entropy,
                              std::span(lane.views).subspan(i * width, width));
    const auto features = encoder_.forward(lane.views, views, lane.encoding);
    const auto projected = head_.forward(features, views, lane.heading);
    lane.view_gradient.resize(projected.size());
    lane.feature_gradient.resize(features.size());
    const double loss =
        contrastive_loss(projected, head_.outputs(), options_.temperature, weight, lane.memory, lane.view_gradient);
    lane.loss += loss * static_cast<double>(rows.size());
    head_.backward(lane.view_gradient, lane.heading, lane.head_gradient, lane.feature_gradient);
    encoder_.backward(lane.feature_gradient, lane.encoding, lane.encoder_gradient, {});
  }

  const Dataset& auxiliary_;
  const ContrastiveTrainingOptions& options_;
  TrainableNetwork encoder_, head_;
  Adam encoder_adam_, head_adam_;
  std::array<LaneMemory, kLanes> lanes_;
};

}  // namespace

void make_convolutional(ContrastiveTrainingOptions& options) {
  options.convolutions = {{16, 5}, {32, 3}, {64, 3}};
  options.hidden = {};
  options.normalised = true;
}

Result<Network> train_contrastive(const Dataset& auxiliary, const ImageShape& shape,
                                  const ContrastiveTrainingOptions& options, const LossProgress& progress) {
  if (auxiliary.rows < 4)
    return Error{ErrorCode::kInvalidArgument,
                 "auxiliary data: contrast needs at least 4 records, got " + std::to_string(auxiliary.rows)};
  if (options.projection.empty() || options.epochs == 0 || options.batch < 4 || !(options.temperature > 0))
    return Error{ErrorCode::kInvalidArgument,
                 "contrastive training: needs a projection, at least 1 epoch, a batch of at least 4 and a positive "
                 "temperature"};
  for (const ConvolutionOptions& convolution : options.convolutions)
    if (convolution.filters == 0 || convolution.side == 0 || convolution.stride == 0 || convolution.side % 2 == 0)
      return Error{ErrorCode::kInvalidArgument,
                   "convolutions: each needs filters, a stride and a side that is odd, got " +
                       std::to_string(convolution.filters) + " filters of side " + std::to_string(convolution.side)};
  ContrastiveTrainer trainer(auxiliary, shape, options);
  run_epochs(trainer, options.epochs, progress);
  return trainer.encoder();
}

}  // namespace sotto
