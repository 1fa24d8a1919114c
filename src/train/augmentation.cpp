#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/train/augmentation.cpp"
#include "sotto/train/augmentation.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "sotto/backprop/random.h"

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A plane of pixels with one black pixel before and two after each row and column.
template <class Tag>
HWY_INLINE hn::Vec<Tag> sample_at(Tag tag, const float* framed, int height, int width, hn::Vec<Tag> x, hn::Vec<Tag> y) {
  const hn::RebindToSigned<Tag> places;
  const auto inside = [&](auto value, int size) HWY_ATTR {
    return hn::Clamp(value, hn::Set(tag, -1), hn::Set(tag, static_cast<float>(size)));
  };
  x = inside(x, width);
  y = inside(y, height);
  const auto left = hn::Floor(x), top = hn::Floor(y);
  const auto across = hn::Sub(x, left), down = hn::Sub(y, top);
  const auto one = hn::Set(places, 1), row_length = hn::Set(places, width + 3);
  const auto place =
      hn::Add(hn::Mul(hn::Add(hn::ConvertTo(places, top), one), row_length), hn::Add(hn::ConvertTo(places, left), one));
  const auto between = [&](auto from) HWY_ATTR {
    const auto first = hn::GatherIndex(tag, framed, from), second = hn::GatherIndex(tag, framed, hn::Add(from, one));
    return hn::MulAdd(across, hn::Sub(second, first), first);
  };
  const auto above = between(place), below = between(hn::Add(place, row_length));
  return hn::MulAdd(down, hn::Sub(below, above), above);
}

void sample(const float* framed, int height, int width, std::size_t size, const float* x, const float* y,
            float* sampled) {
  const hn::ScalableTag<float> wide;
  const hn::CappedTag<float, 1> single;
  std::size_t i = 0;
  for (; i + hn::Lanes(wide) <= size; i += hn::Lanes(wide))
    hn::StoreU(sample_at(wide, framed, height, width, hn::LoadU(wide, x + i), hn::LoadU(wide, y + i)), wide,
               sampled + i);
  for (; i < size; ++i)
    hn::StoreU(sample_at(single, framed, height, width, hn::LoadU(single, x + i), hn::LoadU(single, y + i)), single,
               sampled + i);
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(sample);

constexpr std::size_t kGrid = 5, kFrame = 3;
using GridPlace = ImageAugmentation::GridPlace;
using Grid = std::array<float, kGrid * kGrid>;

float draw_symmetric(SeededEntropy& entropy, float size) { return size * (2 * draw_uniform(entropy) - 1); }

Grid draw_displacements(SeededEntropy& entropy, float deviation) {
  Grid grid{};
  if (deviation > 0)
    for (float& value : grid) value = deviation * draw_standard_normal(entropy);
  return grid;
}

float smooth_step(float t) { return t * t * (3 - 2 * t); }

// Where each of `size` places along a side lies between the nodes of the grid, with a slope of zero at the nodes:
// bends, no kinks.
std::vector<GridPlace> places_along(std::size_t size) {
  const float step = static_cast<float>(kGrid - 1) / static_cast<float>(std::max<std::size_t>(size - 1, 1));
  std::vector<GridPlace> places;
  for (std::size_t i = 0; i < size; ++i) {
    const float place = static_cast<float>(i) * step;
    const auto node = std::min(static_cast<std::size_t>(place), kGrid - 2);
    places.push_back({node, smooth_step(place - static_cast<float>(node))});
  }
  return places;
}

// Adds the grid's values along one row.
void add_bend(const Grid& grid, const GridPlace& down, std::span<const GridPlace> across, float* row) {
  std::array<float, kGrid> nodes{};
  for (std::size_t i = 0; i < kGrid; ++i)
    nodes[i] = (1 - down.share) * grid[down.node * kGrid + i] + down.share * grid[(down.node + 1) * kGrid + i];
  for (std::size_t x = 0; x < across.size(); ++x) {
    const auto [node, share] = across[x];
    row[x] += (1 - share) * nodes[node] + share * nodes[node + 1];
  }
}

// Each pixel becomes what `pick` takes of itself and its neighbours to the right and below. They change after it.
template <class Pick>
void pick_neighbours(std::span<float> plane, std::size_t width, const Pick& pick) {
  for (std::size_t begin = 0; begin < plane.size(); begin += width) {
    float* own = plane.data() + begin;
    const float* next = begin + width < plane.size() ? own + width : own;
    for (std::size_t x = 0; x + 1 < width; ++x) own[x] = pick(pick(own[x], own[x + 1]), pick(next[x], next[x + 1]));
    own[width - 1] = pick(own[width - 1], next[width - 1]);
  }
}

void thicken(std::span<float> plane, std::size_t width) {
  pick_neighbours(plane, width, [](float a, float b) { return std::max(a, b); });
}

void thin(std::span<float> plane, std::size_t width) {
  pick_neighbours(plane, width, [](float a, float b) { return std::min(a, b); });
}

void mirror(std::span<float> plane, std::size_t width) {
  for (std::size_t begin = 0; begin < plane.size(); begin += width) std::ranges::reverse(plane.subspan(begin, width));
}

}  // namespace

Result<AugmentationOptions> augmentation_named(std::string_view name) {
  if (name == kNamesOfViews[0]) return kViewsOfObjects;
  if (name == kNamesOfViews[1]) return kViewsOfDigits;
  return refuse("views: must be of objects or digits, got '" + std::string(name) + "'");
}

ImageAugmentation::ImageAugmentation(const ImageShape& shape, const AugmentationOptions& options)
    : channels_(static_cast<std::size_t>(shape.channels)),
      height_(static_cast<std::size_t>(shape.height)),
      width_(static_cast<std::size_t>(shape.width)),
      options_(options),
      across_(places_along(width_)),
      down_(places_along(height_)),
      from_x_(height_ * width_),
      from_y_(height_ * width_),
      framed_((height_ + kFrame) * (width_ + kFrame)) {}

void ImageAugmentation::draw_warp(SeededEntropy& entropy) {
  const auto width = static_cast<float>(width_), height = static_cast<float>(height_);
  const float angle = draw_symmetric(entropy, options_.rotation_degrees * std::numbers::pi_v<float> / 180);
  const float stretch_x = 1 + draw_symmetric(entropy, options_.scale);
  const float stretch_y = 1 + draw_symmetric(entropy, options_.scale);
  const float shear = draw_symmetric(entropy, options_.shear);
  const float shift_x = draw_symmetric(entropy, options_.shift * width);
  const float shift_y = draw_symmetric(entropy, options_.shift * height);
  const Grid bend_x = draw_displacements(entropy, options_.elastic * width);
  const Grid bend_y = draw_displacements(entropy, options_.elastic * height);
  const float cosine = std::cos(angle), sine = std::sin(angle);
  const float middle_x = (width - 1) / 2, middle_y = (height - 1) / 2;
  for (std::size_t row = 0; row < height_; ++row) {
    const float v = static_cast<float>(row) - middle_y;
    float* from_x = from_x_.data() + row * width_;
    float* from_y = from_y_.data() + row * width_;
    for (std::size_t column = 0; column < width_; ++column) {
      const float u = static_cast<float>(column) - middle_x;
      from_x[column] = middle_x + shift_x + cosine * stretch_x * u + (shear - sine * stretch_y) * v;
      from_y[column] = middle_y + shift_y + sine * stretch_x * u + cosine * stretch_y * v;
    }
    if (options_.elastic == 0) continue;
    add_bend(bend_x, down_[row], across_, from_x);
    add_bend(bend_y, down_[row], across_, from_y);
  }
}

// Bilinear, black outside: the plane is framed in black, and what comes from farther away comes from the frame.
void ImageAugmentation::warp(std::span<const float> plane, std::span<float> warped) {
  const std::size_t framed_width = width_ + kFrame;
  std::fill(framed_.begin(), framed_.end(), 0.0F);
  for (std::size_t row = 0; row < height_; ++row)
    std::copy_n(plane.data() + row * width_, width_, framed_.data() + (row + 1) * framed_width + 1);
  HWY_DYNAMIC_DISPATCH(sample)
  (framed_.data(), static_cast<int>(height_), static_cast<int>(width_), warped.size(), from_x_.data(), from_y_.data(),
   warped.data());
}

void ImageAugmentation::erase(SeededEntropy& entropy, std::span<float> augmented) const {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(entropy.take<std::uint64_t>() % bound); };
  const auto draw_length = [&](std::size_t side) {
    const std::size_t least = std::max<std::size_t>(side / 7, 1);
    return least + below(least + 1);
  };
  const std::size_t box_height = draw_length(height_), box_width = draw_length(width_);
  const std::size_t top = below(height_), left = below(width_);
  for (std::size_t channel = 0; channel < channels_; ++channel)
    for (std::size_t row = top; row < std::min(top + box_height, height_); ++row)
      for (std::size_t column = left; column < std::min(left + box_width, width_); ++column)
        augmented[(channel * height_ + row) * width_ + column] = 0;
}

void ImageAugmentation::apply(std::span<const float> image, SeededEntropy& entropy, std::span<float> augmented) {
  draw_warp(entropy);
  const float stroke = draw_uniform(entropy);
  const bool mirrored = options_.mirror_probability > 0 && draw_uniform(entropy) < options_.mirror_probability;
  const float light = options_.dimming > 0 ? 1 - options_.dimming * draw_uniform(entropy) : 1;
  const std::size_t size = height_ * width_;
  for (std::size_t channel = 0; channel < channels_; ++channel) {
    const auto plane = augmented.subspan(channel * size, size);
    warp(image.subspan(channel * size, size), plane);
    if (stroke < options_.stroke_probability / 2)
      thin(plane, width_);
    else if (stroke < options_.stroke_probability)
      thicken(plane, width_);
    if (mirrored) mirror(plane, width_);
    if (light < 1)
      for (float& pixel : plane) pixel *= light;
  }
  if (draw_uniform(entropy) < options_.erase_probability) erase(entropy, augmented);
}

}  // namespace sotto
#endif
