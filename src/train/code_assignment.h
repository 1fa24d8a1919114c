// Codes from features: which linear rule tells the clusters of unlabelled records apart. Every method gives centroids
// and perhaps offsets, which is all that a device needs (constraint/codebook.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sotto/cluster/linear_rule.h"
#include "sotto/data/dataset.h"
#include "sotto/encoder/network.h"
#include "sotto/kernel/result.h"

namespace sotto {

enum class CodeMethod {
  kSpherical,  // k-means of directions
  kBalanced,   // k-means of the features themselves, of even sizes
  kMixture,    // Gaussians of one common covariance: clusters may be long in the same directions
  kHead,       // a linear head by which views of a record agree (cluster_head.h): for images
  kResidual,   // coarse clusters, then what is left of each record in clusters of its own: a first code times a second
};

std::string_view name_of(CodeMethod method);
Result<CodeMethod> code_method_named(std::string_view name);

struct AssignmentOptions {
  std::size_t codes = 10;
  CodeMethod method = CodeMethod::kSpherical;
  std::size_t second_codes = 1;  // kResidual: of the second codes, a divisor of `codes`
  std::size_t restarts = 10;     // of the clustering; the tightest clusters are kept
  std::uint64_t seed = 1;
};

struct CodeAssignment {
  std::vector<float> centroids, offsets;
  std::vector<std::uint32_t> code_of_record;
  std::size_t count = 0;
  std::vector<std::size_t> sizes() const;
};

// Fails when the features have fewer distinct directions than codes. Not for kHead, which needs more than features
// (code_finder.h).
Result<CodeAssignment> assign_codes(std::span<const float> features, std::size_t width,
                                    const AssignmentOptions& options);

// The codes that a rule gives, if it gives as many as asked for.
Result<CodeAssignment> assign_by_rule(std::span<const float> features, std::size_t width, std::size_t codes,
                                      LinearRule rule);

Status check_codes(const AssignmentOptions& options, std::size_t records);

}  // namespace sotto
