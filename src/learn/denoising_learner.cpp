#include "sotto/learn/denoising_learner.h"

#include <limits>

#include "sotto/learn/class_prior.h"
#include "sotto/learn/classifier_training.h"
#include "sotto/learn/standardization.h"

namespace sotto {
namespace {

class Denoiser {
 public:
  // The report sets must stay: they are not copied.
  Denoiser(const Channel& channel, const ReportSet& training, const ReportSet& held_out, const LabelNoise& noise,
           const PublicPrior& prior, std::size_t memory)
      : noise_(noise),
        prior_(prior),
        memory_(memory),
        training_(make_report_likelihood(channel, training.features, prior.points)),
        held_out_(make_report_likelihood(channel, held_out.features, prior.points)),
        training_labels_(training.labels),
        held_out_labels_(held_out.labels),
        class_prior_(estimate_class_prior(training.labels, noise)) {}

  // How often each label is to be expected at each public record, one for each record on average. The classes are given
  // the frequencies that the noisy labels show, which keeps a classifier that knows nothing from settling on one class.
  std::vector<float> expected_counts(std::span<const float> probabilities) const {
    const auto pass = denoising_pass(*training_, training_labels_, noise_, joint_of(probabilities), memory_);
    std::vector<float> counts(probabilities.begin(), probabilities.end());
    std::vector<double> totals(noise_.classes, 0);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::size_t record = i / noise_.classes, y = i % noise_.classes;
      counts[i] *= pass.gradient[prior_.place_of_record[record] * noise_.classes + y];
      totals[y] += static_cast<double>(counts[i]);
    }
    const auto records = static_cast<double>(prior_.place_of_record.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::size_t y = i % noise_.classes;
      if (totals[y] > 0) counts[i] *= static_cast<float>(class_prior_.frequency[y] * records / totals[y]);
    }
    return counts;
  }

  double held_out_log_likelihood(std::span<const float> probabilities) const {
    return denoising_pass(*held_out_, held_out_labels_, noise_, joint_of(probabilities), memory_).log_likelihood;
  }

 private:
  std::vector<float> joint_of(std::span<const float> probabilities) const {
    std::vector<float> joint = prior_.sum_by_point(probabilities, noise_.classes);
    for (float& value : joint) value /= static_cast<float>(prior_.place_of_record.size());
    return joint;
  }

  const LabelNoise& noise_;
  const PublicPrior& prior_;
  std::size_t memory_;
  std::unique_ptr<ReportLikelihood> training_, held_out_;
  std::span<const std::int32_t> training_labels_, held_out_labels_;
  ClassPrior class_prior_;
};

}  // namespace

DenoisedClassifier learn_by_denoising(const Channel& channel, const ReportSet& training, const ReportSet& held_out,
                                      const LabelNoise& noise, const PublicPrior& prior, std::span<const float> inputs,
                                      const DenoisingOptions& options) {
  const std::size_t records = prior.place_of_record.size(), width = inputs.size() / records;
  const Standardization standardization = Standardization::of(inputs, width);
  const auto standardised = standardization.apply(inputs);
  const ReportSet sorted_training = sorted_by_label(training), sorted_held_out = sorted_by_label(held_out);
  const Denoiser denoiser(channel, sorted_training, sorted_held_out, noise, prior, options.memory);
  TrainableNetwork network = TrainableNetwork::perceptron(width, options.hidden, noise.classes, Activation::kRelu);
  SeededEntropy entropy(options.seed);
  network.initialise(entropy);
  ClassifierTrainer trainer(network,
                            {.learning_rate = options.learning_rate, .batch = options.batch, .seed = options.seed});
  // A start that prefers nothing: what the first round finds is then the reports' word alone.
  std::vector<float> probabilities(records * noise.classes, 1 / static_cast<float>(noise.classes));
  DenoisedClassifier best{network, -std::numeric_limits<double>::infinity(), 0};
  for (std::size_t round = 1; round <= options.rounds && round <= best.rounds + options.patience; ++round) {
    const auto counts = denoiser.expected_counts(probabilities);
    for (std::size_t epoch = 0; epoch < options.epochs_per_round; ++epoch)
      trainer.run_epoch(standardised, counts, Targets::kCounts);
    probabilities = class_probabilities(network, standardised, records);
    const double likelihood = denoiser.held_out_log_likelihood(probabilities);
    if (likelihood > best.held_out_log_likelihood) best = {network, likelihood, round};
  }
  standardization.fold_into(best.network);
  return best;
}

}  // namespace sotto
