#include "sotto/reproduce/cell.h"

#include <utility>

#include "sotto/evaluate/accuracy.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/learn/label_noise_learner.h"
#include "sotto/learn/learner.h"
#include "sotto/learn/prediction.h"
#include "sotto/learn/published_classifier.h"
#include "sotto/learn/representation.h"

namespace sotto {
namespace {

constexpr double kConfidence = 0.95;

Result<double> percent_right(std::span<const float> probabilities, std::size_t classes,
                             std::span<const std::int32_t> labels) {
  const auto proportion = accuracy(most_probable(probabilities, classes), labels, kConfidence);
  if (!proportion) return proportion.error();
  return 100 * proportion->value;
}

Result<Release> release_with(const Mechanism& mechanism, double epsilon, const Settings& settings, bool with_label) {
  auto parsed = Epsilon::parse(epsilon_text(epsilon));
  if (!parsed) return parsed.error();
  ReleaseParameters parameters{*parsed};
  if (with_label && settings.label == "joint") parameters.joint = true;
  if (with_label && settings.label == "split") {
    const auto lambda = parse_lambda(epsilon_text(settings.lambda));
    if (!lambda) return lambda.error();
    parameters.lambda = *lambda;
  }
  return mechanism.release(parameters, InexactChannels::kAllowForExperiments);
}

Result<ReportBatch> privatize(const Release& release, const Dataset& records, std::uint64_t seed) {
  ReportBatch batch(release);
  SeededEntropy entropy(seed);
  const std::span<const std::int32_t> labels =
      release.takes_labels() ? std::span<const std::int32_t>(records.labels) : std::span<const std::int32_t>();
  if (const Status status = batch.privatize(records.values, labels, records.rows, entropy); !status)
    return status.error();
  return batch;
}

// Reporting and held-out people in one batch, as a collector receives them; learners set a part aside themselves.
Dataset everybody(const Parts& parts) {
  Dataset all = parts.reporting;
  all.rows += parts.held_out.rows;
  all.values.insert(all.values.end(), parts.held_out.values.begin(), parts.held_out.values.end());
  all.labels.insert(all.labels.end(), parts.held_out.labels.begin(), parts.held_out.labels.end());
  return all;
}

// Without privacy there are no reports: the classifier learns from the representations and labels themselves.
Result<CellOutcome> run_without_privacy(const Cell& cell, const Parts& parts, const Mechanism& mechanism,
                                        std::uint64_t seed) {
  const auto release = mechanism.release({Epsilon::parse("1").value_or_throw()}, InexactChannels::kAllowForExperiments);
  if (!release) return release.error();
  const Representation representation(mechanism, *release);
  const auto inputs_of = [&](const Dataset& data) -> std::vector<float> {
    if (cell.settings.encoder == "identity") return data.values;
    return representation.of_points(representation.points_of(data.values, data.rows).value_or_throw());
  };
  const auto classes = static_cast<std::size_t>(parts.classes);
  const auto training = inputs_of(parts.reporting), held_out = inputs_of(parts.held_out), test = inputs_of(parts.test);
  const TrainableNetwork network =
      learn_under_label_noise({training, parts.reporting.labels}, {held_out, parts.held_out.labels},
                              no_label_noise(classes), {.hidden = cell.settings.classifier_hidden, .seed = seed});
  const auto exported = network.to_network();
  if (!exported) return exported.error();
  const auto right = percent_right(class_probabilities(*exported, test, parts.test.rows), classes, parts.test.labels);
  if (!right) return right.error();
  return CellOutcome{*right, {}};
}

// Devices report the label that the published classifier predicts; a report is taken at its word.
Result<CellOutcome> run_published(const Classifier& classifier, const Parts& parts, const InputSchema& input,
                                  double epsilon, std::uint64_t seed, std::map<std::string, double> diagnostics) {
  const auto parsed = Epsilon::parse(epsilon_text(epsilon));
  if (!parsed) return parsed.error();
  SeededEntropy entropy(seed + 2000);
  const auto reports = published_reports(classifier, input, *parsed, parts.test.values, parts.test.rows, entropy);
  if (!reports) return reports.error();
  const std::vector<std::int32_t> labels(reports->values().begin(), reports->values().end());
  const auto proportion = accuracy(labels, parts.test.labels, kConfidence);
  if (!proportion) return proportion.error();
  return CellOutcome{100 * proportion->value, std::move(diagnostics)};
}

}  // namespace

Result<CellOutcome> run_cell(const Experiment& experiment, const Cell& cell, const Parts& parts,
                             const InputSchema& input, const MechanismStore& store, std::uint64_t seed) {
  Settings settings = cell.settings;
  const Dataset people = everybody(parts);
  if (cell.epsilon && settings.codes == 0) {
    auto planned = store.planned(settings, *cell.epsilon, people.rows, parts, input, seed);
    if (!planned) return planned.error();
    settings = std::move(*planned);
  }
  const auto mechanism = store.mechanism(settings, parts, input, seed);
  if (!mechanism) return mechanism.error();
  if (!cell.epsilon) return run_without_privacy(cell, parts, *mechanism, seed);

  const bool labels_are_released = experiment.protocol == Protocol::kCollection;
  const auto release = release_with(*mechanism, *cell.epsilon, settings, labels_are_released);
  if (!release) return release.error();
  const auto reports = privatize(*release, people, seed + 1000);
  if (!reports) return reports.error();

  LearnOptions options;
  const auto method = learn_method_named(settings.learner);
  if (!method) return method.error();
  options.method = *method;
  options.hidden = settings.classifier_hidden;
  options.decoded = settings.level == "feature";
  options.seed = seed;
  CollectedData data{*mechanism, *reports, {}, &parts.auxiliary, nullptr, static_cast<std::size_t>(parts.classes)};
  if (!labels_are_released) data.known_labels = people.labels;
  std::optional<Mechanism> codebook;
  options.codes = settings.codes;
  if (*method == LearnMethod::kCodes && settings.codebook == "contrastive" && settings.encoder != "codes") {
    auto book = store.codebook(settings, parts, input, seed);
    if (!book) return book.error();
    codebook = std::move(*book);
    data.codebook = &*codebook;
  }
  auto learnt = learn(data, options);
  if (!learnt) return learnt.error();

  learnt->diagnostics["codes"] = static_cast<double>(settings.codes);
  if (experiment.metric == Metric::kPrivateAccuracy && settings.inference == "published")
    return run_published(learnt->classifier, parts, input, kTestShare * *cell.epsilon, seed, learnt->diagnostics);
  Result<std::vector<float>> predictions = std::vector<float>();
  if (experiment.metric == Metric::kCleanAccuracy) {
    predictions = predict(learnt->classifier, *mechanism, parts.test.values, parts.test.rows);
  } else {
    const auto at_inference = release_with(*mechanism, kTestShare * *cell.epsilon, settings, false);
    if (!at_inference) return at_inference.error();
    const auto test_reports = privatize(*at_inference, parts.test, seed + 2000);
    if (!test_reports) return test_reports.error();
    predictions =
        predict_reports(learnt->classifier, *mechanism, *test_reports, &parts.auxiliary, options.prior_points, seed);
  }
  if (!predictions) return predictions.error();
  const auto right = percent_right(*predictions, data.classes, parts.test.labels);
  if (!right) return right.error();
  return CellOutcome{*right, std::move(learnt->diagnostics)};
}

}  // namespace sotto
