#include "sotto/train/code_mechanism.h"

#include <utility>

#include "sotto/mechanism/code_usage.h"

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
  auto assigned = assign_codes(features_of(encoder, auxiliary), encoder.output_width(), options.assignment);
  if (!assigned) return assigned.error();
  std::vector<std::size_t> sizes = assigned->sizes();
  provenance[kCodeSizesKey] = code_sizes_text(sizes);
  CodebookSpec codebook{.centroids = std::move(assigned->centroids), .offsets = std::move(assigned->offsets)};
  return CodeFit{{input, label, std::move(encoder), std::move(codebook), options.channel, std::move(provenance)},
                 std::move(sizes),
                 std::move(assigned->code_of_record)};
}

Result<std::size_t> code_count(const Mechanism& codebook) {
  const std::size_t codes = codes_in(codebook.spec());
  if (codes == 0) return refuse("codes: this mechanism has no codebook; `sotto train codes` makes one");
  return codes;
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
