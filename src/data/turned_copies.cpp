#include "sotto/data/turned_copies.h"

#include <algorithm>

namespace sotto {
namespace {

// Counterclockwise, all channels alike.
void quarter_turn(std::span<float> image, std::size_t side) {
  std::vector<float> turned(side * side);
  for (std::size_t begin = 0; begin < image.size(); begin += turned.size()) {
    const auto channel = image.subspan(begin, turned.size());
    for (std::size_t row = 0; row < side; ++row)
      for (std::size_t column = 0; column < side; ++column)
        turned[(side - 1 - column) * side + row] = channel[row * side + column];
    std::ranges::copy(turned, channel.begin());
  }
}

void half_turn(std::span<float> image, std::size_t pixels) {
  for (std::size_t begin = 0; begin < image.size(); begin += pixels) std::ranges::reverse(image.subspan(begin, pixels));
}

}  // namespace

Dataset with_turned_copies(const Dataset& images, const ImageShape& shape) {
  const auto height = static_cast<std::size_t>(shape.height), width = static_cast<std::size_t>(shape.width);
  Dataset all{2 * images.rows, images.width, images.values, {}};
  all.values.insert(all.values.end(), images.values.begin(), images.values.end());
  for (std::size_t row = 0; row < images.rows; ++row) {
    const auto copy = std::span(all.values).subspan((images.rows + row) * images.width, images.width);
    const std::size_t quarters = height == width ? 1 + row % 3 : 2;
    if (quarters >= 2) half_turn(copy, height * width);
    if (quarters != 2) quarter_turn(copy, height);
  }
  return all;
}

}  // namespace sotto
