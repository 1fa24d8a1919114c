// Learns a classifier from noisy reports by marginalising the noise over public records [Man21, Eq. 11].
//
// The classifier acts on `inputs` of the public records: their representation, as in the paper, or anything richer,
// such as the records themselves (student.h). The likelihood of a report always goes through the mechanism's
// representation. For labels released on their own; joint reports are learnt from through codes (code_learner.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/learn/evidence.h"
#include "sotto/learn/student.h"

namespace sotto {

// What the classifier sees while it learns: rows, each of which lies on a point of the prior and stands for a share of
// the public records.
struct PublicRows {
  std::vector<std::uint32_t> places;
  std::vector<float> shares;
};

PublicRows rows_of_records(const PublicPrior& prior);  // a row for each record
PublicRows rows_of_points(const PublicPrior& prior);   // few rows, for a classifier of representations

// `inputs` has one row for each of `rows`.
Student learn_by_denoising(const Channel& channel, const ReportSet& training, const ReportSet& held_out,
                           const LabelNoise& noise, const PublicPrior& prior, const PublicRows& rows,
                           std::span<const float> inputs, const StudentOptions& options,
                           std::size_t memory = kDenoisingMemory);

}  // namespace sotto
