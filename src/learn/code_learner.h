// Learns a classifier from noisy reports through codes: a partition of the public records into clusters that the
// collector has found by itself. Reports only have to say which label each code has (label_table.h); a student network
// then learns to give every public record the label of its code, and so classifies records as they are.
//
// Works for every channel and for labels joined with the features. Far below the noise at which denoising alone fails,
// as long as the codes are nearly pure; no better than the codes above it. Where classes cut through codes, a student
// that explains the reports does better (learn_student_by_codes): the reports say how many of a code's records have
// each label, and the records themselves which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/learn/evidence.h"
#include "sotto/learn/label_table.h"
#include "sotto/learn/student.h"

namespace sotto {

// The first half of the work: which label each code has.
LabelTable learn_table_by_codes(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                                const PublicPrior& prior, const CodeBook& book, const LabelTableOptions& options);

struct CodeLearnerOptions {
  LabelTableOptions table = {};
  std::vector<std::size_t> hidden = {200};  // of the student
  std::size_t steps = 3500;                 // at least, in whole passes over the public records
  float learning_rate = 1e-3F;
  std::size_t batch = 128;
  std::uint64_t seed = 1;
};

TrainableNetwork learn_by_codes(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                                const PublicPrior& prior, const CodeBook& book, std::span<const float> inputs,
                                const CodeLearnerOptions& options);

Student learn_student_by_codes(const Release& release, const ReportSet& training, const ReportSet& held_out,
                               const LabelNoise& noise, const PublicPrior& prior, const CodeBook& book,
                               std::span<const float> inputs, const StudentOptions& options);

}  // namespace sotto
