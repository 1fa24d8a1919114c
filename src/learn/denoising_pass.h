// One pass over all reports and all public points: the denoising objective of [Man21, Eq. 11] and its gradient.
//
// With J(m, y) the joint probability of public point m and label y (the prior over points times the classifier),
//   log-likelihood = Σ_n log Σ_m Σ_y p(report_n | z_m) · p(noisy label_n | y) · J(m, y),
// which is concave in J. Gradient ∘ J is what expectation-maximisation calls the expected counts, so this one pass
// serves gradient methods and EM alike. Reports are taken in blocks, so that memory stays within a bound whatever their
// number; blocks have one noisy label each, so that reports should come sorted by it (report_set.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/learn/report_likelihood.h"

namespace sotto {

// p(noisy label | label) for each noisy label that can be reported, row by row.
struct LabelNoise {
  std::size_t classes;
  std::vector<float> probability;  // classes × classes
  std::span<const float> given_noisy(std::size_t noisy) const {
    return std::span(probability).subspan(noisy * classes, classes);
  }
};

LabelNoise label_noise_of(const Channel& label_channel, std::size_t classes);
LabelNoise no_label_noise(std::size_t classes);

struct DenoisingPassResult {
  double log_likelihood = 0;    // mean over reports, in nats
  std::vector<float> gradient;  // points × classes, mean over reports
};

// Bytes of weights at a time, of which there must be room for one report's; beside them a pass holds 3 · classes floats
// for each point.
inline constexpr std::size_t kDenoisingMemory = std::size_t{256} << 20;

// `joint` is points × classes. Runs on two threads.
DenoisingPassResult denoising_pass(const ReportLikelihood& likelihood, std::span<const std::int32_t> noisy_labels,
                                   const LabelNoise& noise, std::span<const float> joint,
                                   std::size_t memory = kDenoisingMemory);

}  // namespace sotto
