#include "sotto/learn/label_noise_learner.h"

#include <limits>

#include "sotto/learn/classifier_training.h"
#include "sotto/learn/standardization.h"

namespace sotto {
namespace {

std::vector<float> likelihoods_of(std::span<const std::int32_t> labels, const LabelNoise& noise) {
  std::vector<float> targets;
  targets.reserve(labels.size() * noise.classes);
  for (const std::int32_t label : labels) {
    const auto given = noise.given_noisy(static_cast<std::size_t>(label));
    targets.insert(targets.end(), given.begin(), given.end());
  }
  return targets;
}

}  // namespace

TrainableNetwork learn_under_label_noise(const LabelledInputs& training, const LabelledInputs& held_out,
                                         const LabelNoise& noise, const LabelNoiseOptions& options) {
  const std::size_t width = training.inputs.size() / training.labels.size();
  const Standardization standardization = Standardization::of(training.inputs, width);
  const auto inputs = standardization.apply(training.inputs), held_inputs = standardization.apply(held_out.inputs);
  const auto targets = likelihoods_of(training.labels, noise), held_targets = likelihoods_of(held_out.labels, noise);

  TrainableNetwork network = TrainableNetwork::perceptron(width, options.hidden, noise.classes, Activation::kRelu);
  SeededEntropy entropy(options.seed);
  network.initialise(entropy);
  ClassifierTrainer trainer(network,
                            {.learning_rate = options.learning_rate, .batch = options.batch, .seed = options.seed});
  TrainableNetwork best = network;
  double best_loss = std::numeric_limits<double>::infinity();
  for (std::size_t epoch = 0, stale = 0; epoch < options.max_epochs && stale < options.patience; ++epoch) {
    trainer.run_epoch(inputs, targets, Targets::kLikelihoods);
    const double loss = mean_loss(network, held_inputs, held_targets, Targets::kLikelihoods);
    ++stale;
    if (loss < best_loss) {
      best_loss = loss;
      best = network;
      stale = 0;
    }
  }
  standardization.fold_into(best);
  return best;
}

}  // namespace sotto
