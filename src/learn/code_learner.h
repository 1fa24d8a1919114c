// Learns a classifier from noisy reports through codes: a partition of the public records into clusters that the
// collector has found by itself. Reports only have to say which label each code has (label_table.h); a student network
// then learns to give every public record the label of its code, and so classifies records as they are.
//
// Works for every channel and for labels joined with the features. Far below the noise at which denoising alone fails,
// as long as the codes are nearly pure; no better than the codes above it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/learn/evidence.h"
#include "sotto/learn/label_table.h"

namespace sotto {

struct CodeLearnerOptions {
  LabelTableOptions table = {};
  std::vector<std::size_t> hidden = {200};  // of the student
  std::size_t steps = 3500;                 // at least, in whole passes over the public records
  float learning_rate = 1e-3F;
  std::size_t batch = 128;
  std::uint64_t seed = 1;
};

struct CodedClassifier {
  TrainableNetwork network;
  LabelTable table;
  std::vector<double> class_shares;
};

CodedClassifier learn_by_codes(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                               const PublicPrior& prior, const CodeBook& book, std::span<const float> inputs,
                               const CodeLearnerOptions& options);

}  // namespace sotto
