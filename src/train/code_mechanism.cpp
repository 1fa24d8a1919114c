#include "sotto/train/code_mechanism.h"

#include <utility>

#include "sotto/backprop/lanes.h"
#include "sotto/cluster/clusters.h"

namespace sotto {
namespace {

Error refuse(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

// As a device will compute them.
std::vector<float> features_of(const Network& encoder, const Dataset& records) {
  std::vector<float> features(records.rows * encoder.output_width());
  run_lanes([&](Lane& lane) {
    Network::Workspace workspace;
    const auto part = lane.part_of(records.rows);
    encoder.encode(
        std::span(records.values).subspan(part.begin * records.width, part.size() * records.width), part.size(),
        std::span(features).subspan(part.begin * encoder.output_width(), part.size() * encoder.output_width()),
        workspace);
  });
  return features;
}

}  // namespace

Result<CodeFit> code_mechanism(Network encoder, const Dataset& auxiliary, const InputSchema& input,
                               const std::optional<LabelSchema>& label, const CodeOptions& options,
                               std::map<std::string, std::string> provenance) {
  if (options.codes < 2 || options.codes > auxiliary.rows)
    return refuse("codes: must lie between 2 and the number of auxiliary records, " + std::to_string(auxiliary.rows) +
                  ", got " + std::to_string(options.codes));
  if (auxiliary.width != encoder.input_width())
    return refuse("auxiliary data: expected records of " + std::to_string(encoder.input_width()) + " values, got " +
                  std::to_string(auxiliary.width));
  const Clusters clusters =
      find_clusters(features_of(encoder, auxiliary), encoder.output_width(),
                    {.count = options.codes, .restarts = options.restarts, .spherical = true, .seed = options.seed});
  if (clusters.size() != options.codes)
    return refuse("codes: asked for " + std::to_string(options.codes) + ", but the encoder tells only " +
                  std::to_string(clusters.size()) + " kinds of record apart");
  // Centroids have length 1, so that the nearest one is that of the nearest direction, as in the clustering.
  return CodeFit{
      {input, label, std::move(encoder), CodebookSpec{clusters.centroids}, options.channel, std::move(provenance)},
      clusters.sizes()};
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
