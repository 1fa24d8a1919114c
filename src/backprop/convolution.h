// Convolution by matrix products, for training: patches are unfolded into rows, some images at a time so that they stay
// in the cache.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/encoder/patches.h"

namespace sotto {

// output (count × patches.count() × filters) += patches of the images · weightsᵀ (filters × patches.size()).
void convolve_add(const Patches& patches, std::span<const float> images, std::size_t count,
                  std::span<const float> weights, std::span<float> output, std::vector<float>& room);

// From d loss / d output: writes d loss / d weights and, unless `image_gradient` is empty, d loss / d images, both
// pixel by pixel. Images of order kPlanes get no gradient: they are records.
void convolve_backward(const Patches& patches, std::span<const float> images, std::size_t count,
                       std::span<const float> weights, std::span<const float> output_gradient,
                       std::span<float> weight_gradient, std::span<float> image_gradient, std::vector<float>& room);

}  // namespace sotto
