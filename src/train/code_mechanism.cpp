#include "sotto/train/code_mechanism.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sotto/mechanism/code_usage.h"
#include "sotto/train/code_finder.h"

namespace sotto {
namespace {

std::vector<std::uint8_t> distances_between(const std::vector<float>& centroids, std::size_t width,
                                            std::int64_t levels) {
  const std::size_t count = centroids.size() / width;
  std::vector<double> exact(count * count);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const float *from = &centroids[i / count * width], *to = &centroids[i % count * width];
    for (std::size_t j = 0; j < width; ++j) exact[i] += (double{from[j]} - to[j]) * (double{from[j]} - to[j]);
    exact[i] = std::sqrt(exact[i]);
  }
  const double step = *std::max_element(exact.begin(), exact.end()) / static_cast<double>(levels);
  std::vector<std::uint8_t> distances(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (i / count != i % count)
      distances[i] = static_cast<std::uint8_t>(step > 0 ? std::max(1.0, std::round(exact[i] / step)) : 1.0);
  return distances;
}

}  // namespace

Result<CodeFit> code_mechanism(Network encoder, const Dataset& auxiliary, const InputSchema& input,
                               const std::optional<LabelSchema>& label, const CodeOptions& options,
                               std::map<std::string, std::string> provenance) {
  if (auxiliary.width != encoder.input_width())
    return refuse("auxiliary data: expected records of " + std::to_string(encoder.input_width()) + " values, got " +
                  std::to_string(auxiliary.width));
  if (options.distortion_levels < 1 || options.distortion_levels > kMaxDistance)
    return refuse("distortion levels: must lie between 1 and " + std::to_string(kMaxDistance) + ", got " +
                  std::to_string(options.distortion_levels));
  auto assigned = CodeFinder(encoder, auxiliary, input, options.views).find(options.assignment);
  if (!assigned) return assigned.error();
  std::vector<std::size_t> sizes = assigned->sizes();
  provenance[kCodeSizesKey] = code_sizes_text(sizes);
  CodebookSpec codebook{std::move(assigned->centroids), {}, std::move(assigned->offsets)};
  if (options.channel == ChannelFamily::kExponential)
    codebook.distances = distances_between(codebook.centroids, encoder.output_width(), options.distortion_levels);
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
