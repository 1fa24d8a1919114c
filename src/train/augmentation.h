// Other versions of an image that show the same thing: moved, turned, bent, drawn with a thinner or thicker pen, partly
// covered. A contrastive encoder learns to see past these, and so finds what the images have in common.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/schema.h"

namespace sotto {

// Each is drawn uniformly up to the given size, unless it says otherwise. Zero switches it off. Lengths are shares of
// the image's side.
struct AugmentationOptions {
  float rotation_degrees = 0;
  float shift = 0;
  float scale = 0;  // 1 ± this, for each axis
  float shear = 0;
  float elastic = 0;             // standard deviation of a 5 × 5 grid of displacements, smoothly interpolated
  float stroke_probability = 0;  // of a thicker or, as often, thinner stroke by one pixel
  float erase_probability = 0;   // of a box, of 1/7 to 2/7 a side, set to black
  float mirror_probability = 0;  // of left and right exchanged
  float dimming = 0;             // of the light, the share that may be lost
};

// Which changes leave an image what it is depends on what it shows. Things have two sides and stand in any light;
inline constexpr AugmentationOptions kViewsOfObjects{.rotation_degrees = 10,
                                                     .shift = 3.0F / 28,
                                                     .scale = 0.3F,
                                                     .shear = 0.1F,
                                                     .erase_probability = 0.3F,
                                                     .mirror_probability = 0.5F,
                                                     .dimming = 0.5F};
// digits and letters are drawn, with pens of any width, and are no longer the same in a mirror.
inline constexpr AugmentationOptions kViewsOfDigits{.rotation_degrees = 20,
                                                    .shift = 3.0F / 28,
                                                    .scale = 0.2F,
                                                    .shear = 0.3F,
                                                    .elastic = 1.5F / 28,
                                                    .stroke_probability = 0.5F,
                                                    .erase_probability = 0.3F};

// `objects` or `digits`.
inline constexpr std::array kNamesOfViews{"objects", "digits"};
Result<AugmentationOptions> augmentation_named(std::string_view name);

class ImageAugmentation {
 public:
  ImageAugmentation(const ImageShape& shape, const AugmentationOptions& options);

  // Reads an image, channel by channel, row by row, and writes another of the same shape. One object per thread.
  void apply(std::span<const float> image, SeededEntropy& entropy, std::span<float> augmented);

  // Between a node of the grid that bends the image and the next.
  struct GridPlace {
    std::size_t node;
    float share;
  };

 private:
  void draw_warp(SeededEntropy& entropy);
  void warp(std::span<const float> plane, std::span<float> warped);
  void erase(SeededEntropy& entropy, std::span<float> augmented) const;

  std::size_t channels_, height_, width_;
  AugmentationOptions options_;
  std::vector<GridPlace> across_, down_;  // of each column and row
  std::vector<float> from_x_, from_y_;    // where each pixel of the result comes from
  std::vector<float> framed_;             // a plane with black around it
};

}  // namespace sotto
