#include "sotto/learn/student.h"

#include <limits>

#include "sotto/learn/classifier_training.h"
#include "sotto/learn/standardization.h"

namespace sotto {

void share_out_counts(std::span<const double> class_shares, std::span<float> counts) {
  const std::size_t classes = class_shares.size();
  std::vector<double> totals(classes, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) totals[i % classes] += static_cast<double>(counts[i]);
  const auto records = static_cast<double>(counts.size() / classes);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t y = i % classes;
    if (totals[y] > 0) counts[i] *= static_cast<float>(class_shares[y] * records / totals[y]);
  }
}

Student learn_student(const ReportModel& model, std::span<const float> inputs, std::vector<float> probabilities,
                      std::size_t classes, const StudentOptions& options) {
  const std::size_t records = probabilities.size() / classes, width = inputs.size() / records;
  const Standardization standardization = Standardization::of(inputs, width);
  const auto standardised = standardization.apply(inputs);
  TrainableNetwork network = TrainableNetwork::perceptron(width, options.hidden, classes, Activation::kRelu);
  SeededEntropy entropy(options.seed);
  network.initialise(entropy);
  ClassifierTrainer trainer(network,
                            {.learning_rate = options.learning_rate, .batch = options.batch, .seed = options.seed});
  Student best{network, -std::numeric_limits<double>::infinity(), 0};
  for (std::size_t round = 1; round <= options.rounds && round <= best.rounds + options.patience; ++round) {
    const auto counts = model.expected_counts(probabilities);
    for (std::size_t epoch = 0; epoch < options.epochs_per_round; ++epoch)
      trainer.run_epoch(standardised, counts, Targets::kCounts);
    probabilities = class_probabilities(network, standardised, records);
    const double likelihood = model.held_out_log_likelihood(probabilities);
    if (likelihood > best.held_out_log_likelihood) best = {network, likelihood, round};
  }
  standardization.fold_into(best.network);
  return best;
}

}  // namespace sotto
