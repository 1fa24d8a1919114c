#include "sotto/train/view_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "sotto/backprop/lanes.h"

namespace sotto {

Result<ViewFeatures> ViewFeatures::draw(const Network& encoder, const Dataset& auxiliary, const InputSchema& input,
                                        const ViewOptions& options, std::uint64_t seed) {
  if (!input.image) return refuse("views: only those of images are records themselves, got a table");
  std::array<std::unique_ptr<Views>, kLanes> drawn_from;
  for (auto& lane : drawn_from) {
    auto made = make_views(auxiliary, input, options);
    if (!made) return made.error();
    lane = std::move(*made);
  }
  const std::size_t width = encoder.output_width();
  ViewFeatures features(width, auxiliary.rows);
  run_lanes([&](Lane& lane) {
    constexpr std::size_t kRecordsAtOnce = 256;
    SeededEntropy entropy(kLanes * seed + lane.index());
    Network::Workspace workspace;
    std::vector<float> views, encoded;
    const auto part = lane.part_of(auxiliary.rows);
    for (std::size_t begin = part.begin; begin < part.end; begin += kRecordsAtOnce) {
      const std::size_t count = std::min(kRecordsAtOnce, part.end - begin);
      std::vector<std::uint32_t> rows(count);
      std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
      views.resize(2 * count * encoder.input_width());
      encoded.resize(2 * count * width);
      drawn_from[lane.index()]->draw(rows, entropy, views);
      encoder.encode(views, 2 * count, encoded, workspace);
      for (std::size_t i = 0; i < count; ++i)
        for (const std::size_t view : {0UL, 1UL})
          std::copy_n(encoded.data() + (view * count + i) * width, width,
                      features.values_.data() + (2 * (begin + i) + view) * width);
    }
  });
  double squares = 0;
  for (const float value : features.values_) squares += static_cast<double>(value) * static_cast<double>(value);
  if (squares > 0) features.scale_ = static_cast<float>(std::sqrt(2 * static_cast<double>(auxiliary.rows) / squares));
  for (float& value : features.values_) value *= features.scale_;
  return features;
}

void ViewFeatures::gather(std::span<const std::uint32_t> pairs, std::vector<float>& gathered) const {
  gathered.resize(2 * pairs.size() * width_);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const std::size_t view : {0UL, 1UL})
      std::copy_n(values_.data() + (2 * pairs[i] + view) * width_, width_,
                  gathered.data() + (view * pairs.size() + i) * width_);
}

}  // namespace sotto
