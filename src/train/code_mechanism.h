// A codebook mechanism from an encoder that has found the clusters of the data (contrastive_training.h): records fall
// into codes by the direction of their features, and codes are released by a channel for categories. Everything is
// learnt from unlabelled auxiliary records.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sotto/data/dataset.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/train/code_assignment.h"
#include "sotto/train/views.h"

namespace sotto {

struct CodeOptions {
  AssignmentOptions assignment;
  ChannelFamily channel = ChannelFamily::kSubsetSelection;  // or another one for categories
  ViewOptions views = {};                                   // of CodeMethod::kHead
  std::int64_t distortion_levels = 8;  // of the distances between codes, for ChannelFamily::kExponential
};

struct CodeFit {
  MechanismSpec spec;                  // its provenance notes the sizes (code_usage.h)
  std::vector<std::size_t> sizes;      // auxiliary records of each code
  std::vector<std::uint32_t> code_of;  // each auxiliary record
};

// Fails when the features have fewer distinct directions than codes. For the exponential channel codes get distances:
// the Euclidean ones of their centroids, in steps of which the largest makes `distortion_levels`, at least one step.
Result<CodeFit> code_mechanism(Network encoder, const Dataset& auxiliary, const InputSchema& input,
                               const std::optional<LabelSchema>& label, const CodeOptions& options,
                               std::map<std::string, std::string> provenance);

// How many codes a mechanism has; an error when it is not one with a codebook.
Result<std::size_t> code_count(const Mechanism& codebook);

// The code of each record. For records the collector may see.
Result<std::vector<std::uint32_t>> codes_of(const Mechanism& codebook, const Dataset& records);

}  // namespace sotto
