#include "sotto/learn/code_learner.h"

#include "sotto/learn/class_prior.h"
#include "sotto/learn/classifier_training.h"
#include "sotto/learn/standardization.h"

namespace sotto {
CodedClassifier learn_by_codes(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                               const PublicPrior& prior, const CodeBook& book, std::span<const float> inputs,
                               const CodeLearnerOptions& options) {
  const Evidence evidence = gather_evidence(release, reports, noise, prior, book);
  const std::vector<float> code_shares = book.shares();
  // From noisy labels where they were released on their own, from the evidence where they were not.
  std::vector<double> class_shares = release.label_join() == nullptr
                                         ? estimate_class_prior(reports.labels, noise).frequency
                                         : estimate_class_shares(evidence, code_shares);
  LabelTable table = learn_label_table(evidence, code_shares, class_shares, options.table);

  const std::size_t records = book.code_of_record.size(), width = inputs.size() / records;
  const Standardization standardization = Standardization::of(inputs, width);
  const auto standardised = standardization.apply(inputs);
  std::vector<float> targets;
  targets.reserve(records * table.classes);
  for (const std::uint32_t code : book.code_of_record) {
    const auto row = table.of(code);
    targets.insert(targets.end(), row.begin(), row.end());
  }
  TrainableNetwork network = TrainableNetwork::perceptron(width, options.hidden, table.classes, Activation::kRelu);
  SeededEntropy entropy(options.seed);
  network.initialise(entropy);
  ClassifierTrainer trainer(network,
                            {.learning_rate = options.learning_rate, .batch = options.batch, .seed = options.seed});
  const std::size_t epochs = (options.steps * options.batch + records - 1) / records;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) trainer.run_epoch(standardised, targets, Targets::kCounts);
  standardization.fold_into(network);
  return {std::move(network), std::move(table), std::move(class_shares)};
}

}  // namespace sotto
