#include "sotto/encoder/patches.h"

#include <algorithm>
#include <string>

namespace sotto {
namespace {

constexpr std::size_t kMaxSide = 4096, kMaxChannels = 65536, kMaxValues = std::size_t{1} << 24;

}  // namespace

Status Patches::validate() const {
  if (channels < 1 || channels > kMaxChannels || height < 1 || height > kMaxSide || width < 1 || width > kMaxSide ||
      image_size() > kMaxValues)
    return refuse("an image must have 1 to 65536 channels, 1 to 4096 rows and columns, and at most 2^24 values");
  if (side < 1 || side > kMaxSide || stride < 1 || stride > kMaxSide || padding >= side)
    return refuse("patches: side and stride must lie between 1 and 4096, and padding below side");
  if (side > height + 2 * padding || side > width + 2 * padding)
    return refuse("patches: larger than the image with its padding");
  if (size() > kMaxValues) return refuse("patches: must have at most 2^24 values");
  return {};
}

void unfold(const Patches& patches, std::span<const float> images, std::span<float> unfolded) {
  const std::size_t channels = patches.channels, plane = patches.height * patches.width;
  const bool together = patches.order == Patches::Order::kPixels || channels == 1;
  if (patches.padding > 0) std::fill(unfolded.begin(), unfolded.end(), 0.0F);
  for (std::size_t i = 0; i < images.size() / patches.image_size(); ++i) {
    const float* image = images.data() + i * patches.image_size();
    float* rows = unfolded.data() + i * patches.count() * patches.size();
    for_each_stretch(patches, [&](std::size_t patch, std::size_t place, std::size_t pixel, std::size_t length) {
      float* to = rows + patch * patches.size() + place * channels;
      if (together) {
        std::copy_n(image + pixel * channels, length * channels, to);
        return;
      }
      for (std::size_t x = 0; x < length; ++x)
        for (std::size_t channel = 0; channel < channels; ++channel)
          to[x * channels + channel] = image[channel * plane + pixel + x];
    });
  }
}

}  // namespace sotto
