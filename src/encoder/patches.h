// The square patches of an image over which a convolution or a pooling slides.
#pragma once

#include <cstddef>
#include <span>

#include "sotto/kernel/result.h"

namespace sotto {

struct Patches {
  // Channel by channel, as records are, or pixel by pixel with the channels of a pixel together, as layers give it.
  enum class Order { kPlanes, kPixels };

  std::size_t channels = 0, height = 0, width = 0;  // of the image
  std::size_t side = 0, stride = 0, padding = 0;    // padding: zeros around the image, on each side
  Order order = Order::kPixels;

  std::size_t image_size() const { return channels * height * width; }
  std::size_t size() const { return side * side * channels; }
  std::size_t rows() const { return (height + 2 * padding - side) / stride + 1; }
  std::size_t columns() const { return (width + 2 * padding - side) / stride + 1; }
  std::size_t count() const { return rows() * columns(); }

  // Every number is in bounds that leave products of them far from overflow.
  Status validate() const;

  bool operator==(const Patches&) const = default;
};

// Calls visit(patch, place, pixel, length) for every stretch of pixels that a patch and the image have in common: from
// pixel `place` of the patch and `pixel` of the image, `length` of them, in the order of patches and their rows.
template <class Visit>
void for_each_stretch(const Patches& patches, const Visit& visit) {
  struct Overlap {
    std::size_t before, begin, length;  // pixels of the patch outside the image, then where it enters, and for how long
  };
  const auto overlap = [&](std::size_t patch, std::size_t extent) {
    const std::size_t start = patch * patches.stride;  // in the padded image
    const std::size_t before = start < patches.padding ? patches.padding - start : 0;
    const std::size_t begin = start + before - patches.padding;
    const std::size_t most = patches.side - before, left = extent - begin;
    return Overlap{before, begin, most < left ? most : left};
  };
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    const Overlap down = overlap(row, patches.height);
    for (std::size_t column = 0; column < patches.columns(); ++column) {
      const Overlap across = overlap(column, patches.width);
      for (std::size_t y = 0; y < down.length; ++y)
        visit(row * patches.columns() + column, (down.before + y) * patches.side + across.before,
              (down.begin + y) * patches.width + across.begin, across.length);
    }
  }
}

// Writes the patches of images, one after another, as rows of size() values, pixel by pixel.
void unfold(const Patches& patches, std::span<const float> images, std::span<float> unfolded);

}  // namespace sotto
