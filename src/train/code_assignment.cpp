#include "sotto/train/code_assignment.h"

#include <array>
#include <string>
#include <utility>

#include "sotto/cluster/clusters.h"
#include "sotto/cluster/mixture.h"

namespace sotto {
namespace {

constexpr std::array kMethods{std::pair{CodeMethod::kSpherical, "spherical"},
                              std::pair{CodeMethod::kBalanced, "balanced"}, std::pair{CodeMethod::kMixture, "mixture"},
                              std::pair{CodeMethod::kHead, "head"}, std::pair{CodeMethod::kResidual, "residual"}};

// Every first centroid plus every second one. Records are compared with the sums, so that a second code may put right
// what the first got wrong.
std::vector<float> residual_centroids(std::span<const float> directions, std::size_t width,
                                      const AssignmentOptions& options) {
  const Clusters first = find_clusters(
      directions, width,
      {.count = options.codes / options.second_codes, .restarts = options.restarts, .seed = options.seed});
  std::vector<float> left_over(directions.begin(), directions.end());
  for (std::size_t i = 0; i < left_over.size(); ++i)
    left_over[i] -= first.centroids[first.member_of[i / width] * width + i % width];
  const Clusters second = find_clusters(
      left_over, width, {.count = options.second_codes, .restarts = options.restarts, .seed = options.seed});
  std::vector<float> sums;
  for (std::size_t a = 0; a < first.size(); ++a)
    for (std::size_t b = 0; b < second.size(); ++b)
      for (std::size_t i = 0; i < width; ++i)
        sums.push_back(first.centroids[a * width + i] + second.centroids[b * width + i]);
  normalise_rows(sums, width);
  return sums;
}

CodeAssignment by_direction(std::span<const float> features, std::size_t width, const AssignmentOptions& options) {
  std::vector<float> directions(features.begin(), features.end());
  normalise_rows(directions, width);
  if (options.method == CodeMethod::kResidual) {
    CodeAssignment assignment{residual_centroids(directions, width, options), {}, {}};
    assignment.code_of_record = nearest_centroids(directions, width, assignment.centroids);
    return assignment;
  }
  Clusters clusters =
      find_clusters(directions, width,
                    {.count = options.codes, .restarts = options.restarts, .spherical = true, .seed = options.seed});
  return {std::move(clusters.centroids), {}, std::move(clusters.member_of)};
}

// Offsets compare lengths, too: features are taken as they are.
CodeAssignment balanced_clusters(std::span<const float> features, std::size_t width, const AssignmentOptions& options) {
  Clusters clusters = find_clusters(
      features, width, {.count = options.codes, .restarts = options.restarts, .balanced = true, .seed = options.seed});
  return {std::move(clusters.centroids), std::move(clusters.offsets), std::move(clusters.member_of)};
}

Result<CodeAssignment> counted(CodeAssignment assignment, std::size_t width, std::size_t wanted) {
  assignment.count = assignment.centroids.size() / width;
  if (assignment.count == wanted) return assignment;
  return refuse("codes: asked for " + std::to_string(wanted) + ", but the encoder tells only " +
                std::to_string(assignment.count) + " kinds of record apart");
}

}  // namespace

std::string_view name_of(CodeMethod method) {
  for (const auto& [known, name] : kMethods)
    if (known == method) return name;
  return "";
}

Result<CodeMethod> code_method_named(std::string_view name) {
  for (const auto& [method, known] : kMethods)
    if (known == name) return method;
  return refuse("codebook method: must be spherical, balanced, mixture, head or residual, got '" + std::string(name) +
                "'");
}

std::vector<std::size_t> CodeAssignment::sizes() const {
  std::vector<std::size_t> sizes(count, 0);
  for (const std::uint32_t code : code_of_record) ++sizes[code];
  return sizes;
}

Status check_codes(const AssignmentOptions& options, std::size_t records) {
  if (options.codes < 2 || options.codes > records)
    return refuse("codes: must lie between 2 and the number of auxiliary records, " + std::to_string(records) +
                  ", got " + std::to_string(options.codes));
  if (options.second_codes == 0 || options.codes % options.second_codes != 0)
    return refuse("second codes: must divide the " + std::to_string(options.codes) + " codes, got " +
                  std::to_string(options.second_codes));
  return {};
}

Result<CodeAssignment> assign_by_rule(std::span<const float> features, std::size_t width, std::size_t codes,
                                      LinearRule rule) {
  CodeAssignment assignment{std::move(rule.centroids), std::move(rule.offsets), {}, 0};
  assignment.code_of_record = nearest_centroids(features, width, assignment.centroids, assignment.offsets);
  return counted(std::move(assignment), width, codes);
}

Result<CodeAssignment> assign_codes(std::span<const float> features, std::size_t width,
                                    const AssignmentOptions& options) {
  if (const Status status = check_codes(options, features.size() / width); !status) return status.error();
  switch (options.method) {
    case CodeMethod::kMixture:
      return assign_by_rule(features, width, options.codes,
                            fit_mixture(features, width, {options.codes, options.restarts, options.seed}));
    case CodeMethod::kBalanced:
      return counted(balanced_clusters(features, width, options), width, options.codes);
    case CodeMethod::kHead:
      return refuse("codebook method: a head needs the records, not only features");
    case CodeMethod::kSpherical:
    case CodeMethod::kResidual:
      break;
  }
  return counted(by_direction(features, width, options), width, options.codes);
}

}  // namespace sotto
