// Learns a classifier from noisy reports by marginalising the noise over public records [Man21, Eq. 11], by
// expectation-maximisation: reports and the present classifier say which labels to expect at each public record; the
// classifier learns those; and so on, for as long as the likelihood of held-out reports improves.
//
// The classifier acts on `inputs` of the public records: their representation, as in the paper, or anything richer,
// such as the records themselves (the *student*). The likelihood of a report always goes through the mechanism's
// representation. For labels released on their own; joint reports are learnt from through codes (code_learner.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"
#include "sotto/learn/evidence.h"

namespace sotto {

struct DenoisingOptions {
  std::vector<std::size_t> hidden = {50};  // none: logistic regression
  std::size_t rounds = 30, patience = 4;
  std::size_t epochs_per_round = 2;
  float learning_rate = 1e-3F;
  std::size_t batch = 128;
  std::uint64_t seed = 1;
  std::size_t memory = kDenoisingMemory;
};

struct DenoisedClassifier {
  TrainableNetwork network;
  double held_out_log_likelihood = 0;
  std::size_t rounds = 0;
};

DenoisedClassifier learn_by_denoising(const Channel& channel, const ReportSet& training, const ReportSet& held_out,
                                      const LabelNoise& noise, const PublicPrior& prior, std::span<const float> inputs,
                                      const DenoisingOptions& options);

}  // namespace sotto
