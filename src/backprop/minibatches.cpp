#include "sotto/backprop/minibatches.h"

#include <algorithm>

namespace sotto {
namespace {

void update(const Lane& lane, const ParameterGroup& group) {
  constexpr std::size_t kCacheLine = 16;  // floats
  const auto part = lane.part_of(group.parameters.size(), kCacheLine);
  const auto piece = [&](std::size_t index) {
    return std::span<const float>(*group.gradients[index]).subspan(part.begin, part.size());
  };
  group.adam->update(part.begin, group.parameters.subspan(part.begin, part.size()), piece(0), piece(1));
}

}  // namespace

void minibatch_epoch(std::span<const std::uint32_t> order, std::size_t batch, std::span<const ParameterGroup> groups,
                     const Differentiate& differentiate) {
  for (const ParameterGroup& group : groups)
    for (std::vector<float>* gradient : group.gradients) gradient->assign(group.parameters.size(), 0);
  run_lanes([&](Lane& lane) {
    for (std::size_t begin = 0; begin < order.size(); begin += batch) {
      const auto rows = order.subspan(begin, std::min(batch, order.size() - begin));
      if (lane.index() == 0)
        for (const ParameterGroup& group : groups) group.adam->begin_step();
      const auto part = lane.part_of(rows.size());
      differentiate(lane.index(), rows.subspan(part.begin, part.size()), 1 / static_cast<float>(rows.size()));
      lane.meet();  // both gradients are there
      for (const ParameterGroup& group : groups) update(lane, group);
      lane.meet();  // the parameters are whole again
    }
  });
}

void gather_rows(std::span<const float> matrix, std::size_t width, std::span<const std::uint32_t> rows,
                 std::vector<float>& gathered) {
  gathered.resize(rows.size() * width);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(matrix.data() + rows[i] * width, width, gathered.data() + i * width);
}

}  // namespace sotto
