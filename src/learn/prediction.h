// From a classifier to predictions, on records as they are or on reports.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/data/dataset.h"
#include "sotto/learn/classifier.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/mechanism/report_batch.h"

namespace sotto {

// count × classes.
Result<std::vector<float>> predict(const Classifier& classifier, const Mechanism& mechanism,
                                   std::span<const float> records, std::size_t count);

// For reports without labels. A classifier of representations learnt from reports is applied as it is; any other by
// Bayes' rule over the public records, which are then needed: p(y | report) ∝ Σ p(report | record) · p(y | record).
Result<std::vector<float>> predict_reports(const Classifier& classifier, const Mechanism& mechanism,
                                           const ReportBatch& reports, const Dataset* auxiliary,
                                           std::size_t prior_points, std::uint64_t seed);

}  // namespace sotto
