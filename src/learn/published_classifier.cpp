#include "sotto/learn/published_classifier.h"

#include <string>
#include <utility>

#include "sotto/mechanism/mechanism.h"

namespace sotto {

Result<MechanismSpec> published_classifier(const Classifier& classifier, const InputSchema& input) {
  if (classifier.input != ClassifierInput::kRecord)
    return refuse("publish: a device needs a classifier of records as they are, this one sees " +
                  std::string(name_of(classifier.input)));
  if (classifier.network.input_width() != input.width())
    return refuse("publish: the classifier is of records of " + std::to_string(classifier.network.input_width()) +
                  " values, got " + std::to_string(input.width()));
  // The nearest unit vector is that of the largest logit.
  const std::size_t classes = classifier.classes.size();
  CodebookSpec units;
  units.centroids.assign(classes * classes, 0);
  for (std::size_t y = 0; y < classes; ++y) units.centroids[y * classes + y] = 1;
  return MechanismSpec{input,
                       std::nullopt,
                       classifier.network,
                       std::move(units),
                       ChannelFamily::kRandomizedResponse,
                       {{"method", "published classifier"}, {"learnt_from", classifier.mechanism}}};
}

Result<ReportBatch> published_reports(const Classifier& classifier, const InputSchema& input, const Epsilon& epsilon,
                                      std::span<const float> records, std::size_t count, Entropy& entropy) {
  auto spec = published_classifier(classifier, input);
  if (!spec) return spec.error();
  const auto mechanism = Mechanism::make(std::move(*spec));
  if (!mechanism) return mechanism.error();
  const auto release = mechanism->release({epsilon});
  if (!release) return release.error();
  ReportBatch reports(*release);
  if (const Status status = reports.privatize(records, {}, count, entropy); !status) return status.error();
  return reports;
}

}  // namespace sotto
