// Learns a classifier from noisy reports by marginalising the noise over public records [Man21, Eq. 11].
//
// The classifier acts on `inputs` of the public records: their representation, as in the paper, or anything richer,
// such as the records themselves (student.h). The likelihood of a report always goes through the mechanism's
// representation. For labels released on their own; joint reports are learnt from through codes (code_learner.h).
#pragma once

#include <span>

#include "sotto/learn/evidence.h"
#include "sotto/learn/student.h"

namespace sotto {

Student learn_by_denoising(const Channel& channel, const ReportSet& training, const ReportSet& held_out,
                           const LabelNoise& noise, const PublicPrior& prior, std::span<const float> inputs,
                           const StudentOptions& options, std::size_t memory = kDenoisingMemory);

}  // namespace sotto
