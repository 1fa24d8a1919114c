#include "sotto/backprop/encode_all.h"

#include "sotto/backprop/lanes.h"

namespace sotto {

std::vector<float> encode_all(const Network& encoder, std::span<const float> records, std::size_t count) {
  const std::size_t in = encoder.input_width(), out = encoder.output_width();
  std::vector<float> features(count * out);
  run_lanes([&](Lane& lane) {
    Network::Workspace workspace;
    const auto part = lane.part_of(count);
    encoder.encode(records.subspan(part.begin * in, part.size() * in), part.size(),
                   std::span(features).subspan(part.begin * out, part.size() * out), workspace);
  });
  return features;
}

}  // namespace sotto
