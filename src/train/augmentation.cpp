#include "sotto/train/augmentation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kGrid = 5;
using Grid = std::array<float, kGrid * kGrid>;

float draw_symmetric(SeededEntropy& entropy, float size) { return size * (2 * draw_uniform(entropy) - 1); }

Grid draw_displacements(SeededEntropy& entropy, float deviation) {
  Grid grid{};
  if (deviation > 0)
    for (float& value : grid) value = deviation * draw_standard_normal(entropy);
  return grid;
}

float smooth_step(float t) { return t * t * (3 - 2 * t); }

// The grid's value at (x, y), both in 0 … kGrid − 1, with a slope of zero at the nodes: bends, no kinks.
float interpolate(const Grid& grid, float x, float y) {
  const auto column = std::min(static_cast<std::size_t>(x), kGrid - 2);
  const auto row = std::min(static_cast<std::size_t>(y), kGrid - 2);
  const float tx = smooth_step(x - static_cast<float>(column)), ty = smooth_step(y - static_cast<float>(row));
  const float* node = grid.data() + row * kGrid + column;
  return (1 - ty) * ((1 - tx) * node[0] + tx * node[1]) + ty * ((1 - tx) * node[kGrid] + tx * node[kGrid + 1]);
}

}  // namespace

ImageAugmentation::ImageAugmentation(const ImageShape& shape, const AugmentationOptions& options)
    : channels_(static_cast<std::size_t>(shape.channels)),
      height_(static_cast<std::size_t>(shape.height)),
      width_(static_cast<std::size_t>(shape.width)),
      options_(options),
      from_x_(height_ * width_),
      from_y_(height_ * width_),
      scratch_(height_ * width_) {}

void ImageAugmentation::draw_warp(SeededEntropy& entropy) {
  const float angle = draw_symmetric(entropy, options_.rotation_degrees * std::numbers::pi_v<float> / 180);
  const float stretch_x = 1 + draw_symmetric(entropy, options_.scale);
  const float stretch_y = 1 + draw_symmetric(entropy, options_.scale);
  const float shear = draw_symmetric(entropy, options_.shear);
  const float shift_x = draw_symmetric(entropy, options_.shift_pixels);
  const float shift_y = draw_symmetric(entropy, options_.shift_pixels);
  const Grid bend_x = draw_displacements(entropy, options_.elastic_pixels);
  const Grid bend_y = draw_displacements(entropy, options_.elastic_pixels);
  const float cosine = std::cos(angle), sine = std::sin(angle);
  const float middle_x = static_cast<float>(width_ - 1) / 2, middle_y = static_cast<float>(height_ - 1) / 2;
  const float grid_x = static_cast<float>(kGrid - 1) / static_cast<float>(std::max<std::size_t>(width_ - 1, 1));
  const float grid_y = static_cast<float>(kGrid - 1) / static_cast<float>(std::max<std::size_t>(height_ - 1, 1));
  for (std::size_t row = 0; row < height_; ++row)
    for (std::size_t column = 0; column < width_; ++column) {
      const float x = static_cast<float>(column), y = static_cast<float>(row);
      const float u = x - middle_x, v = y - middle_y;
      const std::size_t place = row * width_ + column;
      from_x_[place] = middle_x + shift_x + cosine * stretch_x * u + (shear - sine * stretch_y) * v +
                       interpolate(bend_x, x * grid_x, y * grid_y);
      from_y_[place] = middle_y + shift_y + sine * stretch_x * u + cosine * stretch_y * v +
                       interpolate(bend_y, x * grid_x, y * grid_y);
    }
}

// Bilinear, black outside.
void ImageAugmentation::warp(std::span<const float> plane, std::span<float> warped) const {
  const auto width = static_cast<int>(width_), height = static_cast<int>(height_);
  const auto pixel = [&](int row, int column) {
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    return inside ? plane[static_cast<std::size_t>(row * width + column)] : 0;
  };
  for (std::size_t place = 0; place < warped.size(); ++place) {
    const float x = from_x_[place], y = from_y_[place];
    const float left = std::floor(x), top = std::floor(y);
    const float tx = x - left, ty = y - top;
    const int column = static_cast<int>(left), row = static_cast<int>(top);
    warped[place] = (1 - ty) * ((1 - tx) * pixel(row, column) + tx * pixel(row, column + 1)) +
                    ty * ((1 - tx) * pixel(row + 1, column) + tx * pixel(row + 1, column + 1));
  }
}

// Each pixel becomes the brightest (or darkest) of itself and its neighbours to the right and below.
void ImageAugmentation::thicken(std::span<float> plane, bool thinner) {
  std::copy(plane.begin(), plane.end(), scratch_.begin());
  for (std::size_t row = 0; row < height_; ++row)
    for (std::size_t column = 0; column < width_; ++column) {
      float& value = plane[row * width_ + column];
      for (std::size_t y = row; y < std::min(row + 2, height_); ++y)
        for (std::size_t x = column; x < std::min(column + 2, width_); ++x) {
          const float other = scratch_[y * width_ + x];
          value = thinner ? std::min(value, other) : std::max(value, other);
        }
    }
}

void ImageAugmentation::erase(SeededEntropy& entropy, std::span<float> augmented) const {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(entropy.take<std::uint64_t>() % bound); };
  const std::size_t box_height = 4 + below(5), box_width = 4 + below(5), top = below(height_), left = below(width_);
  for (std::size_t channel = 0; channel < channels_; ++channel)
    for (std::size_t row = top; row < std::min(top + box_height, height_); ++row)
      for (std::size_t column = left; column < std::min(left + box_width, width_); ++column)
        augmented[(channel * height_ + row) * width_ + column] = 0;
}

void ImageAugmentation::apply(std::span<const float> image, SeededEntropy& entropy, std::span<float> augmented) {
  draw_warp(entropy);
  const float stroke = draw_uniform(entropy);
  const std::size_t size = height_ * width_;
  for (std::size_t channel = 0; channel < channels_; ++channel) {
    const auto plane = augmented.subspan(channel * size, size);
    warp(image.subspan(channel * size, size), plane);
    if (stroke < options_.stroke_probability) thicken(plane, stroke < options_.stroke_probability / 2);
  }
  if (draw_uniform(entropy) < options_.erase_probability) erase(entropy, augmented);
}

}  // namespace sotto
