// From reports to a classifier, by the method asked for. What the commands and the experiments call.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/data/dataset.h"
#include "sotto/learn/classifier.h"
#include "sotto/learn/evidence.h"
#include "sotto/mechanism/report_batch.h"

namespace sotto {

enum class LearnMethod {
  kCodes,         // through clusters of the public records (code_learner.h); the only one for joint reports
  kDenoising,     // Eq. 11 on representations, the paper's (denoising_learner.h)
  kStudent,       // Eq. 11 with a classifier that sees the public records themselves
  kDiscriminant,  // means of reports and the scatter of public records (discriminant_learner.h)
  kLabelNoise,    // Eq. 12 on the reports themselves (label_noise_learner.h)
};

std::string_view name_of(LearnMethod method);
Result<LearnMethod> learn_method_named(std::string_view name);

struct LearnOptions {
  LearnMethod method = LearnMethod::kCodes;
  std::vector<std::size_t> hidden = {50};
  bool decoded = false;             // the feature level: a classifier of records as the decoder gives them back
  std::size_t prior_points = 2000;  // public records are drawn together into so many points
  std::size_t codes = 16;           // without a codebook: clusters of the public representations
  double held_out = 0.1;            // share of the reports that decides when to stop
  std::uint64_t seed = 1;
};

// What the collector holds.
struct CollectedData {
  const Mechanism& mechanism;
  const ReportBatch& reports;
  // Labels known without noise, one a report, when none were released (an experiment may know them).
  std::span<const std::int32_t> known_labels = {};
  const Dataset* auxiliary = nullptr;   // public records; kLabelNoise needs none
  const Mechanism* codebook = nullptr;  // its codes partition the public records; any mechanism with a codebook
  std::size_t classes = 0;
};

struct Learnt {
  Classifier classifier;
  std::map<std::string, double> diagnostics;  // held-out likelihood, rounds, …: by name
};

Result<Learnt> learn(const CollectedData& data, const LearnOptions& options);

}  // namespace sotto
