// A classifier as a mechanism: published to devices, it lets each report the label that it predicts for its own record,
// through randomised response. For private inference nothing narrower is left to say, so that no mechanism with these
// labels does better: the accuracy is the classifier's own, brought as near to e^ε / (e^ε + classes − 1) as it is to 1.
#pragma once

#include "sotto/learn/classifier.h"
#include "sotto/mechanism/report_batch.h"
#include "sotto/mechanism/spec.h"

namespace sotto {

// For classifiers of records as they are. A report is the number of a class.
Result<MechanismSpec> published_classifier(const Classifier& classifier, const InputSchema& input);

// What the devices of `count` records would report with it, at this epsilon: one class each.
Result<ReportBatch> published_reports(const Classifier& classifier, const InputSchema& input, const Epsilon& epsilon,
                                      std::span<const float> records, std::size_t count, Entropy& entropy);

}  // namespace sotto
