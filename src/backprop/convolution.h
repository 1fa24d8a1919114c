// Convolutions and their gradients, for training. Images are framed by their padding, some at a time so that they stay
// in the cache; a row of a patch is then a stretch of memory, and the products read patches where they are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/encoder/patches.h"

namespace sotto {

// Kept by the caller, so that passes do not allocate.
struct ConvolutionMemory {
  std::vector<float> framed, framed_gradient;  // images with their padding
  std::vector<float> turned;                   // weights or their gradient, patches.size() × filters
  std::vector<std::size_t> patches, places;    // where patches begin in a framed image, and their values in a patch
};

// Writes patches of the images · weightsᵀ (filters × patches.size()) as output (count × patches.count() × filters).
void convolve(const Patches& patches, std::span<const float> images, std::size_t count, std::span<const float> weights,
              std::span<float> output, ConvolutionMemory& memory);

// From d loss / d output: writes d loss / d weights and, unless `image_gradient` is empty, d loss / d images, both
// pixel by pixel. Images of order kPlanes get no gradient: they are records.
void convolve_backward(const Patches& patches, std::span<const float> images, std::size_t count,
                       std::span<const float> weights, std::span<const float> output_gradient,
                       std::span<float> weight_gradient, std::span<float> image_gradient, ConvolutionMemory& memory);

}  // namespace sotto
