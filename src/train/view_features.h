// What an encoder makes of two views of every record, drawn once and kept: what looks at views again and again, such as
// a cluster head, need not draw and encode them each time. Takes 2·records·width floats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/data/dataset.h"
#include "sotto/encoder/network.h"
#include "sotto/train/views.h"

namespace sotto {

class ViewFeatures {
 public:
  // For images, whose views are records themselves: an encoder of tables starts behind its views.
  static Result<ViewFeatures> draw(const Network& encoder, const Dataset& auxiliary, const InputSchema& input,
                                   const ViewOptions& options, std::uint64_t seed);

  std::size_t width() const { return width_; }
  std::size_t pairs() const { return values_.size() / width_ / 2; }
  // The two views of a record lie next to each other. Lengths are 1 in the mean square: features, times scale().
  std::span<const float> values() const { return values_; }
  float scale() const { return scale_; }

  // First views of the named pairs, then second ones.
  void gather(std::span<const std::uint32_t> pairs, std::vector<float>& gathered) const;

 private:
  ViewFeatures(std::size_t width, std::size_t records) : width_(width), values_(2 * records * width) {}

  std::size_t width_;
  std::vector<float> values_;
  float scale_ = 1;
};

}  // namespace sotto
