// `sotto evaluate`: how often a classifier is right, about records as they are and about their reports, and what a
// validation panel would say without showing its records.
#include <cstdio>
#include <iostream>
#include <memory>

#include "command.h"
#include "output_stream.h"
#include "sotto/data/open_source.h"
#include "sotto/evaluate/ceilings.h"
#include "sotto/evaluate/ldp_validation.h"
#include "sotto/learn/learner.h"
#include "sotto/learn/prediction.h"
#include "sotto/learn/published_classifier.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

constexpr std::size_t kPriorPoints = 2000;

struct EvaluateOptions {
  std::string classifier, mechanism, input, labels, auxiliary, predictions;
  std::string epsilon, delta, validation_epsilon;
  bool with_reports = false, published = false, allow_inexact = false, json = false;
  std::optional<std::uint64_t> seed;
};

struct PrivateAccuracy {
  Proportion accuracy;
  std::string claim;
  double laplace_ceiling, any_ceiling;
};

struct ValidatedAccuracy {
  Proportion accuracy;
  std::string spent;
};

struct Evaluation {
  std::string classifier_input;
  Proportion clean;
  std::optional<PrivateAccuracy> reports;
  std::optional<ValidatedAccuracy> validated;
};

void check(const EvaluateOptions& options) {
  if (options.with_reports && options.epsilon.empty())
    misuse("epsilon: needed with --private, a number between 0.001 and 100");
  if (!options.with_reports && !(options.epsilon.empty() && options.delta.empty()))
    misuse("epsilon and delta: given without --private, which privatises the records with them");
  if (options.published && !(options.with_reports && options.delta.empty()))
    misuse("published: goes with --private and --epsilon alone");
}

// The classes are the classifier's, which campaigns may have named otherwise than the mechanism.
Dataset load_labelled(const EvaluateOptions& options, const MechanismSpec& spec,
                      const std::vector<std::string>& classes) {
  if (!spec.label && options.labels.empty()) misuse("labels: needed, because the mechanism names no label column");
  const LabelSchema label{spec.label ? spec.label->name : "label", classes};
  const auto source = open_source({options.input, options.labels, {}}, spec.input, label).value_or_throw();
  Dataset data = load(*source).value_or_throw();
  if (data.rows == 0) misuse("input: holds no records to evaluate on");
  return data;
}

// Devices that have the classifier report the label that it predicts.
PrivateAccuracy evaluate_published(const EvaluateOptions& options, const Classifier& classifier,
                                   const Mechanism& mechanism, const Dataset& data, Entropy& entropy,
                                   std::vector<std::int32_t>& predictions) {
  const Epsilon epsilon = Epsilon::parse(options.epsilon).value_or_throw();
  const ReportBatch reports =
      published_reports(classifier, mechanism.spec().input, epsilon, data.values, data.rows, entropy).value_or_throw();
  predictions.assign(reports.values().begin(), reports.values().end());
  const int classes = static_cast<int>(classifier.classes.size());
  return {accuracy(predictions, data.labels, kConfidence).value_or_throw(), reports.release().claim().to_string(),
          laplace_sphere_ceiling(epsilon.to_double(), classes), any_channel_ceiling(epsilon.to_double(), classes)};
}

PrivateAccuracy evaluate_reports(const EvaluateOptions& options, const Classifier& classifier,
                                 const Mechanism& mechanism, const Dataset& data, Entropy& entropy,
                                 std::vector<std::int32_t>& predictions) {
  ReleaseParameters parameters{Epsilon::parse(options.epsilon).value_or_throw()};
  if (!options.delta.empty()) parameters.delta = Delta::parse(options.delta).value_or_throw();
  ReportBatch reports(
      mechanism
          .release(parameters, options.allow_inexact ? InexactChannels::kAllowForExperiments : InexactChannels::kRefuse)
          .value_or_throw());
  reports.privatize(data.values, {}, data.rows, entropy).or_throw();
  std::optional<Dataset> auxiliary;
  if (!options.auxiliary.empty()) auxiliary = load_unlabelled(options.auxiliary, mechanism.spec().input);
  const auto probabilities = predict_reports(classifier, mechanism, reports, auxiliary ? &*auxiliary : nullptr,
                                             kPriorPoints, options.seed.value_or(1))
                                 .value_or_throw();
  predictions = most_probable(probabilities, classifier.classes.size());
  const int classes = static_cast<int>(classifier.classes.size());
  const double epsilon = parameters.epsilon.to_double();
  return {accuracy(predictions, data.labels, kConfidence).value_or_throw(), reports.release().claim().to_string(),
          laplace_sphere_ceiling(epsilon, classes), any_channel_ceiling(epsilon, classes)};
}

ValidatedAccuracy validate(const std::string& epsilon_text, std::span<const std::int32_t> predictions,
                           std::span<const std::int32_t> labels, Entropy& entropy) {
  const Epsilon epsilon = parse_epsilon("validation-epsilon", epsilon_text);
  ValidationPanel panel = ValidationPanel::make(labels.size(), epsilon, epsilon).value_or_throw();
  const Proportion accuracy =
      panel.query(correctness(predictions, labels).value_or_throw(), kConfidence, entropy).value_or_throw();
  return {accuracy, panel.spent()->to_string()};
}

void write_predictions(const std::string& path, std::span<const std::int32_t> predictions,
                       const std::vector<std::string>& classes) {
  std::string text;
  for (const std::int32_t prediction : predictions) text += classes[static_cast<std::size_t>(prediction)] + "\n";
  OutputStream output(path);
  output.write(text);
  output.commit();
}

nlohmann::json share_json(const Proportion& share) {
  return {{"value", share.value},
          {"low", share.low},
          {"high", share.high},
          {"confidence", kConfidence},
          {"records", share.count}};
}

void print_evaluate_json(const Evaluation& evaluation) {
  nlohmann::json document{{"input", evaluation.classifier_input}, {"clean", share_json(evaluation.clean)}};
  if (evaluation.reports)
    document["private"] = {{"accuracy", share_json(evaluation.reports->accuracy)},
                           {"claim", evaluation.reports->claim},
                           {"laplace_sphere_ceiling", evaluation.reports->laplace_ceiling},
                           {"any_channel_ceiling", evaluation.reports->any_ceiling}};
  if (evaluation.validated)
    document["validated"] = {{"accuracy", share_json(evaluation.validated->accuracy)},
                             {"spent", evaluation.validated->spent}};
  std::cout << document.dump() << '\n';
}

void print_share(const char* what, const Proportion& share) {
  std::printf("%-20s %6.2f %%  (%g %% interval %.2f to %.2f, %zu records)\n", what, 100 * share.value,
              100 * kConfidence, 100 * share.low, 100 * share.high, share.count);
}

void print_evaluate_text(const Evaluation& evaluation) {
  print_share("clean accuracy", evaluation.clean);
  if (const auto& reports = evaluation.reports) {
    print_share("private accuracy", reports->accuracy);
    std::printf("  each report claims %s\n", reports->claim.c_str());
    std::printf("  no classifier of reports does better, on balanced classes, than\n");
    std::printf("  %6.2f %% with the Laplace channel on the L1 ball\n", 100 * reports->laplace_ceiling);
    std::printf("  %6.2f %% with any channel at all\n", 100 * reports->any_ceiling);
  }
  if (const auto& validated = evaluation.validated) {
    print_share("validated accuracy", validated->accuracy);
    std::printf("  from one noisy bit a record, which cost its owner %s\n", validated->spent.c_str());
  }
  std::fflush(stdout);
}

void run_evaluate(const EvaluateOptions& options) {
  check(options);
  const Classifier classifier = Classifier::load(options.classifier).value_or_throw();
  const Mechanism mechanism = Mechanism::load(options.mechanism).value_or_throw();
  const Dataset data = load_labelled(options, mechanism.spec(), classifier.classes);
  const auto probabilities = predict(classifier, mechanism, data.values, data.rows).value_or_throw();
  std::vector<std::int32_t> predictions = most_probable(probabilities, classifier.classes.size());
  Evaluation evaluation{std::string(name_of(classifier.input)),
                        accuracy(predictions, data.labels, kConfidence).value_or_throw(), std::nullopt, std::nullopt};
  const auto entropy = make_entropy(options.seed);
  if (!options.validation_epsilon.empty())
    evaluation.validated = validate(options.validation_epsilon, predictions, data.labels, *entropy);
  if (options.with_reports)
    evaluation.reports = (options.published ? evaluate_published : evaluate_reports)(options, classifier, mechanism,
                                                                                     data, *entropy, predictions);
  if (!options.predictions.empty()) write_predictions(options.predictions, predictions, classifier.classes);
  (options.json ? print_evaluate_json : print_evaluate_text)(evaluation);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App& command = *app.add_subcommand("evaluate", "Say how often a classifier is right");
  command.add_option("classifier", options->classifier, "The file of `sotto learn`")->required();
  command.add_option("--mechanism", options->mechanism, "The .sotto file whose reports it was learnt from")->required();
  command.add_option("--input", options->input, "Records: IDX, NPY or CSV, or - for standard input")->required();
  command.add_option("--labels", options->labels, "Their labels, when they are in a file of their own");
  command.add_flag("--private", options->with_reports,
                   "Privatise the records with --epsilon, without labels, and classify the reports as well");
  command.add_flag(
      "--published", options->published,
      "With --private: the devices have the classifier (`sotto learn --publish`) and report the label that "
      "it predicts, instead of the mechanism's report");
  command.add_option("--epsilon", options->epsilon, "With --private: privacy budget of a report");
  command.add_option("--delta", options->delta, "With --private: for Gaussian channels, which need one");
  command.add_option("--auxiliary", options->auxiliary,
                     "With --private: public records, through which classifiers of clean records read reports");
  command.add_option("--validation-epsilon", options->validation_epsilon,
                     "Also estimate the accuracy as a panel of the records' owners would report it: one bit each, "
                     "flipped by randomised response with this epsilon");
  command.add_option("--predictions", options->predictions,
                     "Write the predicted classes, a line each; those of the reports with --private");
  command.add_option("--seed", options->seed, "Predictable noise, for experiments only");
  command.add_flag("--allow-inexact", options->allow_inexact,
                   "Run floating-point channels, for experiments: their claim is not proven");
  add_json_flag(command, options->json);
  command.footer(
      "Example: sotto evaluate classifier.safetensors --mechanism mnist.sotto --input "
      "data/mnist/t10k-images-idx3-ubyte "
      "--labels data/mnist/t10k-labels-idx1-ubyte\n"
      "Clean accuracy needs clean records: an experiment's, or public ones. --validation-epsilon shows what can be "
      "known "
      "without them.");
  command.callback([options] { run_evaluate(*options); });
}

}  // namespace sotto::cli
