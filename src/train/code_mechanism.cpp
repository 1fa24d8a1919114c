#include "sotto/train/code_mechanism.h"

#include <utility>

namespace sotto {
namespace {

Error refuse(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

}  // namespace

Result<CodeFit> code_mechanism(Network encoder, const Dataset& auxiliary, const InputSchema& input,
                               const std::optional<LabelSchema>& label, const CodeOptions& options,
                               std::map<std::string, std::string> provenance) {
  if (auxiliary.width != encoder.input_width())
    return refuse("auxiliary data: expected records of " + std::to_string(encoder.input_width()) + " values, got " +
                  std::to_string(auxiliary.width));
  const auto assigned = assign_codes(features_of(encoder, auxiliary), encoder.output_width(), options.assignment);
  if (!assigned) return assigned.error();
  return CodeFit{{input, label, std::move(encoder), CodebookSpec{assigned->centroids, assigned->offsets},
                  options.channel, std::move(provenance)},
                 assigned->sizes()};
}

Result<std::size_t> code_count(const Mechanism& codebook) {
  const auto* centroids = std::get_if<CodebookSpec>(&codebook.spec().constraint);
  if (centroids == nullptr) return refuse("codes: this mechanism has no codebook; `sotto train codes` makes one");
  return centroids->centroids.size() / codebook.spec().encoder.output_width();
}

Result<std::vector<std::uint32_t>> codes_of(const Mechanism& codebook, const Dataset& records) {
  if (const auto count = code_count(codebook); !count) return count.error();
  if (records.width != codebook.spec().input.width())
    return refuse("auxiliary data: the codes are of records of " + std::to_string(codebook.spec().input.width()) +
                  " values, got " + std::to_string(records.width));
  // Codes do not depend on the privacy parameters; some are needed to ask for them.
  const auto release = codebook.release({Epsilon::parse("1").value_or_throw()});
  if (!release) return release.error();
  const auto points = release->points_of(records.values, records.rows);
  if (!points) return points.error();
  return std::vector<std::uint32_t>(points->begin(), points->end());
}

}  // namespace sotto
