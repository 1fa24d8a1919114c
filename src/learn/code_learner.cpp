#include "sotto/learn/code_learner.h"

#include "sotto/learn/class_prior.h"
#include "sotto/learn/classifier_training.h"
#include "sotto/learn/standardization.h"

namespace sotto {
namespace {

// From noisy labels where they were released on their own, from the evidence where they were not.
std::vector<double> class_shares_of(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                                    const Evidence& evidence, std::span<const float> code_shares) {
  return release.label_join() == nullptr ? estimate_class_prior(reports.labels, noise).frequency
                                         : estimate_class_shares(evidence, code_shares);
}

// records × classes: each record has the row of its code.
std::vector<float> rows_of_codes(const CodeBook& book, const LabelTable& table) {
  std::vector<float> rows;
  rows.reserve(book.code_of_record.size() * table.classes);
  for (const std::uint32_t code : book.code_of_record) {
    const auto row = table.of(code);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

// A report tells the records of one code from those of another, and nothing within a code.
class CodeModel final : public ReportModel {
 public:
  CodeModel(const CodeBook& book, const Evidence& training, const Evidence& held_out,
            std::span<const double> class_shares)
      : book_(book), training_(training), held_out_(held_out), class_shares_(class_shares) {}

  std::vector<float> expected_counts(std::span<const float> probabilities) const override {
    const auto weights = weigh_symbols(training_, joint_of(probabilities)).values;
    const std::size_t classes = training_.classes;
    std::vector<float> counts(probabilities.begin(), probabilities.end());
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] *= weights[book_.code_of_record[i / classes] * classes + i % classes];
    share_out_counts(class_shares_, counts);
    return counts;
  }

  double held_out_log_likelihood(std::span<const float> probabilities) const override {
    return weigh_symbols(held_out_, joint_of(probabilities)).mean_log_likelihood;
  }

 private:
  std::vector<float> joint_of(std::span<const float> probabilities) const {
    const std::size_t classes = training_.classes;
    std::vector<double> sums(training_.symbols(), 0);
    for (std::size_t i = 0; i < probabilities.size(); ++i)
      sums[book_.code_of_record[i / classes] * classes + i % classes] += static_cast<double>(probabilities[i]);
    std::vector<float> joint;
    for (const double sum : sums)
      joint.push_back(static_cast<float>(sum / static_cast<double>(book_.code_of_record.size())));
    return joint;
  }

  const CodeBook& book_;
  const Evidence &training_, &held_out_;
  std::span<const double> class_shares_;
};

}  // namespace

LabelTable learn_table_by_codes(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                                const PublicPrior& prior, const CodeBook& book, const LabelTableOptions& options) {
  const Evidence evidence = gather_evidence(release, reports, noise, prior, book);
  const std::vector<float> code_shares = book.shares();
  const auto class_shares = class_shares_of(release, reports, noise, evidence, code_shares);
  return learn_label_table(evidence, {code_shares, book.affinities}, class_shares, options);
}

TrainableNetwork learn_by_codes(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                                const PublicPrior& prior, const CodeBook& book, std::span<const float> inputs,
                                const CodeLearnerOptions& options) {
  const LabelTable table = learn_table_by_codes(release, reports, noise, prior, book, options.table);
  const std::size_t records = book.code_of_record.size(), width = inputs.size() / records;
  const Standardization standardization = Standardization::of(inputs, width);
  const auto standardised = standardization.apply(inputs);
  const std::vector<float> targets = rows_of_codes(book, table);
  TrainableNetwork network = TrainableNetwork::perceptron(width, options.hidden, table.classes, Activation::kRelu);
  SeededEntropy entropy(options.seed);
  network.initialise(entropy);
  ClassifierTrainer trainer(network,
                            {.learning_rate = options.learning_rate, .batch = options.batch, .seed = options.seed});
  const std::size_t epochs = (options.steps * options.batch + records - 1) / records;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) trainer.run_epoch(standardised, targets, Targets::kCounts);
  standardization.fold_into(network);
  return network;
}

Student learn_student_by_codes(const Release& release, const ReportSet& training, const ReportSet& held_out,
                               const LabelNoise& noise, const PublicPrior& prior, const CodeBook& book,
                               std::span<const float> inputs, const StudentOptions& options) {
  const Evidence evidence = gather_evidence(release, training, noise, prior, book);
  const Evidence held_out_evidence = gather_evidence(release, held_out, noise, prior, book);
  const std::vector<float> code_shares = book.shares();
  const std::vector<double> class_shares = class_shares_of(release, training, noise, evidence, code_shares);
  const LabelTable table =
      learn_label_table(evidence, {code_shares, book.affinities}, class_shares, {.sharpening = 0, .balance = false});
  return learn_student(CodeModel(book, evidence, held_out_evidence, class_shares), inputs, rows_of_codes(book, table),
                       table.classes, options);
}

}  // namespace sotto
