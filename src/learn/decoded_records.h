// Records as a mechanism's decoder gives them back, for classifiers of the feature level.
#pragma once

#include <span>
#include <vector>

#include "sotto/mechanism/mechanism.h"
#include "sotto/mechanism/report_batch.h"

namespace sotto {

// An error when the mechanism has no decoder. Rows are as wide as its input.
Result<std::vector<float>> decoded_representations(const Mechanism& mechanism, std::span<const float> representations,
                                                   std::size_t count);
Result<std::vector<float>> decoded_reports(const Mechanism& mechanism, const ReportBatch& reports);

}  // namespace sotto
