#include "sotto/backprop/convolution.h"

#include <algorithm>

#include "sotto/backprop/gemm.h"

namespace sotto {
namespace {

constexpr std::size_t kRoom = 65536;  // floats: a quarter of a megabyte, which a core's second cache holds

// Calls visit(first image, number of images, their patches), some images at a time.
template <class Visit>
void for_each_block(const Patches& patches, std::span<const float> images, std::size_t count, std::vector<float>& room,
                    const Visit& visit) {
  const std::size_t unfolded = patches.count() * patches.size();
  const std::size_t together = std::max<std::size_t>(1, kRoom / unfolded);
  room.resize(std::max(room.size(), together * unfolded));
  for (std::size_t begin = 0; begin < count; begin += together) {
    const std::size_t block = std::min(together, count - begin);
    unfold(patches, images.subspan(begin * patches.image_size(), block * patches.image_size()),
           std::span(room).first(block * unfolded));
    visit(begin, block, MatrixView{room.data(), block * patches.count(), patches.size()});
  }
}

// The transpose of unfold: adds each value back to where it was read.
void fold_add(const Patches& patches, const float* unfolded, float* image) {
  const std::size_t channels = patches.channels;
  for_each_stretch(patches, [&](std::size_t patch, std::size_t place, std::size_t pixel, std::size_t length) {
    const float* from = unfolded + patch * patches.size() + place * channels;
    float* to = image + pixel * channels;
    for (std::size_t i = 0; i < length * channels; ++i) to[i] += from[i];
  });
}

}  // namespace

void convolve_add(const Patches& patches, std::span<const float> images, std::size_t count,
                  std::span<const float> weights, std::span<float> output, std::vector<float>& room) {
  const std::size_t filters = weights.size() / patches.size();
  const MatrixView kernel{weights.data(), filters, patches.size()};
  for_each_block(patches, images, count, room, [&](std::size_t begin, std::size_t, MatrixView unfolded) {
    multiply(unfolded, kernel.transpose(), 1, output.data() + begin * patches.count() * filters);
  });
}

void convolve_backward(const Patches& patches, std::span<const float> images, std::size_t count,
                       std::span<const float> weights, std::span<const float> output_gradient,
                       std::span<float> weight_gradient, std::span<float> image_gradient, std::vector<float>& room) {
  const std::size_t filters = weights.size() / patches.size(), unfolded_size = patches.count() * patches.size();
  const MatrixView kernel{weights.data(), filters, patches.size()};
  std::fill(weight_gradient.begin(), weight_gradient.end(), 0.0F);
  std::fill(image_gradient.begin(), image_gradient.end(), 0.0F);
  for_each_block(patches, images, count, room, [&](std::size_t begin, std::size_t block, MatrixView unfolded) {
    const MatrixView gradient{output_gradient.data() + begin * patches.count() * filters, unfolded.rows, filters};
    multiply(gradient.transpose(), unfolded, 1, weight_gradient.data());
    if (image_gradient.empty()) return;
    multiply(gradient, kernel, 0, room.data());  // the patches have done their duty
    for (std::size_t i = 0; i < block; ++i)
      fold_add(patches, room.data() + i * unfolded_size, image_gradient.data() + (begin + i) * patches.image_size());
  });
}

}  // namespace sotto
