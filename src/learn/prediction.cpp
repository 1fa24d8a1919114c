#include "sotto/learn/prediction.h"

#include <algorithm>
#include <string>

#include "sotto/learn/decoded_records.h"
#include "sotto/learn/evidence.h"
#include "sotto/learn/learner.h"
#include "sotto/learn/public_prior.h"
#include "sotto/learn/representation.h"

namespace sotto {
namespace {

// What the classifier sees of records.
Result<std::vector<float>> classifier_inputs(const Classifier& classifier, const Mechanism& mechanism,
                                             std::span<const float> records, std::size_t count) {
  if (classifier.mechanism != to_hex(mechanism.id()))
    return refuse("classifier: learnt from reports of another mechanism than the one given");
  if (classifier.input == ClassifierInput::kRecord) return std::vector<float>(records.begin(), records.end());
  const auto representation = representation_of_records(mechanism);
  if (!representation) return representation.error();
  const auto points = representation->points_of(records, count);
  if (!points) return points.error();
  std::vector<float> values = representation->of_points(*points);
  if (classifier.input == ClassifierInput::kRepresentation) return values;
  return decoded_representations(mechanism, values, count);
}

}  // namespace

Result<std::vector<float>> predict(const Classifier& classifier, const Mechanism& mechanism,
                                   std::span<const float> records, std::size_t count) {
  const auto inputs = classifier_inputs(classifier, mechanism, records, count);
  if (!inputs) return inputs.error();
  if (inputs->size() != count * classifier.network.input_width())
    return refuse("classifier: its network takes " + std::to_string(classifier.network.input_width()) +
                  " values, but the mechanism gives " +
                  std::to_string(inputs->size() / std::max<std::size_t>(count, 1)));
  return class_probabilities(classifier.network, *inputs, count);
}

Result<std::vector<float>> predict_reports(const Classifier& classifier, const Mechanism& mechanism,
                                           const ReportBatch& reports, const Dataset* auxiliary,
                                           std::size_t prior_points, std::uint64_t seed) {
  const Release& release = reports.release();
  if (classifier.mechanism != to_hex(mechanism.id()) || release.codec().header().mechanism_id != mechanism.id())
    return refuse("classifier, mechanism, reports: one of them belongs to another mechanism than the others");
  if (release.takes_labels()) return refuse("reports: carry labels; reports to be classified do not");
  std::vector<std::int64_t> features;
  for (std::size_t i = 0; i < reports.size(); ++i)
    features.insert(features.end(), reports.features(i).begin(), reports.features(i).end());
  const Representation representation(mechanism, release);
  const auto method = classifier.provenance.find("method");
  const bool from_reports =
      method != classifier.provenance.end() && method->second == name_of(LearnMethod::kLabelNoise);
  if (from_reports && classifier.input == ClassifierInput::kRepresentation)
    return class_probabilities(classifier.network, representation.of_reports(features), reports.size());
  if (from_reports) {
    const auto decoded = decoded_reports(mechanism, reports);
    if (!decoded) return decoded.error();
    return class_probabilities(classifier.network, *decoded, reports.size());
  }
  if (auxiliary == nullptr) return refuse("auxiliary: classifying reports with this classifier needs public records");
  const auto prior = make_public_prior(representation, auxiliary->values, auxiliary->rows, prior_points, seed);
  if (!prior) return prior.error();
  const auto public_labels = predict(classifier, mechanism, auxiliary->values, auxiliary->rows);
  if (!public_labels) return public_labels.error();
  const std::size_t classes = classifier.classes.size();
  const auto likelihood = make_report_likelihood(release.channel(), features, prior->points);
  std::vector<float> scores =
      code_likelihoods(*likelihood, prior->sum_by_point(*public_labels, classes), classes).values;
  for (std::size_t row = 0; row < scores.size(); row += classes) {
    float sum = 0;
    for (const float score : std::span(scores).subspan(row, classes)) sum += score;
    for (float& score : std::span(scores).subspan(row, classes))
      score = sum > 0 ? score / sum : 1 / static_cast<float>(classes);
  }
  return scores;
}

}  // namespace sotto
