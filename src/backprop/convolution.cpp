#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/backprop/convolution.cpp"
#include "sotto/backprop/convolution.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#ifndef SOTTO_BACKPROP_CONVOLUTION_BLOCK
#define SOTTO_BACKPROP_CONVOLUTION_BLOCK
namespace sotto {

// Framed images, one after another, and what their patches are multiplied with.
struct ConvolutionBlock {
  std::size_t images, filters;
  std::size_t framed_size, framed_row, stretch, side;  // a patch has `side` stretches, each in a row of the frame
  std::span<const std::size_t> patches, places;

  std::size_t patch_count() const { return images * patches.size(); }
  std::size_t patch(std::size_t i) const { return i / patches.size() * framed_size + patches[i % patches.size()]; }
};

}  // namespace sotto
#endif

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The inner loop of all products: some rows of some vectors of sums, in registers.
template <class Tag, std::size_t Vectors>
struct Tile {
  static constexpr std::size_t kRows = Vectors == 1 ? 8 : 6;
  using Vector = hn::Vec<Tag>;
  Vector sums[kRows][Vectors];

  HWY_INLINE Tile() {
    for (auto& row : sums)
      for (Vector& sum : row) sum = hn::Zero(Tag());
  }

  // Adds left(row) · right to each row.
  template <class Left>
  HWY_INLINE void add(const float* right, const Left& left) {
    Vector own[Vectors];
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < Vectors; ++v) own[v] = hn::LoadU(Tag(), right + v * hn::Lanes(Tag()));
    HWY_UNROLL(8)
    for (std::size_t row = 0; row < kRows; ++row) {
      const Vector factor = hn::Set(Tag(), left(row));
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < Vectors; ++v) sums[row][v] = hn::MulAdd(factor, own[v], sums[row][v]);
    }
  }

  template <class Place>
  HWY_INLINE void store(std::size_t rows, const Place& place) const {
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t v = 0; v < Vectors; ++v) hn::StoreU(sums[row][v], Tag(), place(row) + v * hn::Lanes(Tag()));
  }

  template <class Place>
  HWY_INLINE void add_to(std::size_t rows, const Place& place) const {
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t v = 0; v < Vectors; ++v) {
        float* to = place(row) + v * hn::Lanes(Tag());
        hn::StoreU(hn::Add(hn::LoadU(Tag(), to), sums[row][v]), Tag(), to);
      }
  }
};

// Calls step(an empty tile, first row, rows, first column) until all rows and columns are covered. A tile with fewer
// rows than it has room for computes its last one several times.
template <class Sums, class Step>
HWY_INLINE void down(std::size_t rows, std::size_t column, const Step& step) {
  for (std::size_t row = 0; row < rows; row += Sums::kRows)
    step(Sums(), row, std::min(Sums::kRows, rows - row), column);
}

template <class Step>
HWY_INLINE void in_tiles(std::size_t rows, std::size_t columns, const Step& step) {
  using Wide = hn::ScalableTag<float>;
  const std::size_t lanes = hn::Lanes(Wide());
  std::size_t column = 0;
  for (; column + 2 * lanes <= columns; column += 2 * lanes) down<Tile<Wide, 2>>(rows, column, step);
  for (; column + lanes <= columns; column += lanes) down<Tile<Wide, 1>>(rows, column, step);
  for (; column < columns; ++column) down<Tile<hn::CappedTag<float, 1>, 1>>(rows, column, step);
}

void multiply_patches(const ConvolutionBlock& block, const float* framed, const float* turned, float* output) {
  in_tiles(block.patch_count(), block.filters,
           [&](auto tile, std::size_t first, std::size_t rows, std::size_t column) HWY_ATTR {
             const float* patch[tile.kRows];
             for (std::size_t row = 0; row < tile.kRows; ++row)
               patch[row] = framed + block.patch(first + std::min(row, rows - 1));
             const float* right = turned + column;
             for (std::size_t y = 0; y < block.side; ++y)
               for (std::size_t i = y * block.framed_row; i < y * block.framed_row + block.stretch; ++i) {
                 tile.add(right, [&](std::size_t row) HWY_ATTR { return patch[row][i]; });
                 right += block.filters;
               }
             tile.store(rows, [&](std::size_t row) { return output + (first + row) * block.filters + column; });
           });
}

void add_weight_gradient(const ConvolutionBlock& block, const float* framed, const float* gradient, float* turned) {
  in_tiles(block.places.size(), block.filters,
           [&](auto tile, std::size_t first, std::size_t rows, std::size_t column) HWY_ATTR {
             std::size_t place[tile.kRows];
             for (std::size_t row = 0; row < tile.kRows; ++row)
               place[row] = block.places[first + std::min(row, rows - 1)];
             const float* right = gradient + column;
             for (std::size_t image = 0; image < block.images; ++image)
               for (const std::size_t begin : block.patches) {
                 const float* patch = framed + image * block.framed_size + begin;
                 tile.add(right, [&](std::size_t row) HWY_ATTR { return patch[place[row]]; });
                 right += block.filters;
               }
             tile.add_to(rows, [&](std::size_t row) { return turned + (first + row) * block.filters + column; });
           });
}

void add_image_gradient(const ConvolutionBlock& block, const float* weights, const float* gradient,
                        float* framed_gradient) {
  for (std::size_t y = 0; y < block.side; ++y)
    in_tiles(block.patch_count(), block.stretch,
             [&](auto tile, std::size_t first, std::size_t rows, std::size_t column) HWY_ATTR {
               const float* slope[tile.kRows];
               for (std::size_t row = 0; row < tile.kRows; ++row)
                 slope[row] = gradient + (first + std::min(row, rows - 1)) * block.filters;
               const float* right = weights + y * block.stretch + column;
               for (std::size_t filter = 0; filter < block.filters; ++filter) {
                 tile.add(right, [&](std::size_t row) HWY_ATTR { return slope[row][filter]; });
                 right += block.side * block.stretch;
               }
               tile.add_to(rows, [&](std::size_t row) {
                 return framed_gradient + block.patch(first + row) + y * block.framed_row + column;
               });
             });
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(multiply_patches);
HWY_EXPORT(add_weight_gradient);
HWY_EXPORT(add_image_gradient);

constexpr std::size_t kRoom = 16384;  // floats of images and outputs: 64 kB, which stay close to the core

struct Frame {
  std::size_t height, width, row, size;  // row and size in floats

  explicit Frame(const Patches& patches)
      : height(patches.height + 2 * patches.padding),
        width(patches.width + 2 * patches.padding),
        row(width * patches.channels),
        size(height * row) {}
};

// Calls visit(pixel of the image, its place in the frame) for the first pixel of each row.
template <class Visit>
void for_each_row(const Patches& patches, const Frame& frame, const Visit& visit) {
  for (std::size_t y = 0; y < patches.height; ++y)
    visit(y * patches.width, (y + patches.padding) * frame.row + patches.padding * patches.channels);
}

void put_into_frame(const Patches& patches, const Frame& frame, const float* image, float* framed) {
  const std::size_t channels = patches.channels, plane = patches.height * patches.width;
  for_each_row(patches, frame, [&](std::size_t pixel, std::size_t place) {
    if (patches.order == Patches::Order::kPixels || channels == 1) {
      std::copy_n(image + pixel * channels, patches.width * channels, framed + place);
      return;
    }
    for (std::size_t x = 0; x < patches.width; ++x)
      for (std::size_t channel = 0; channel < channels; ++channel)
        framed[place + x * channels + channel] = image[channel * plane + pixel + x];
  });
}

void take_from_frame(const Patches& patches, const Frame& frame, const float* framed, float* image) {
  const std::size_t channels = patches.channels;
  for_each_row(patches, frame, [&](std::size_t pixel, std::size_t place) {
    std::copy_n(framed + place, patches.width * channels, image + pixel * channels);
  });
}

void turn(std::span<const float> matrix, std::size_t columns, std::span<float> turned) {
  const std::size_t rows = matrix.size() / columns;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      turned[column * rows + row] = matrix[row * columns + column];
}

// Calls visit(first image, the block of images from there), with the images in memory.framed.
template <class Visit>
void for_each_block(const Patches& patches, std::span<const float> images, std::size_t count, std::size_t filters,
                    ConvolutionMemory& memory, const Visit& visit) {
  const Frame frame(patches);
  const std::size_t stretch = patches.side * patches.channels;
  memory.patches.clear();
  for (std::size_t y = 0; y < patches.rows(); ++y)
    for (std::size_t x = 0; x < patches.columns(); ++x)
      memory.patches.push_back(y * patches.stride * frame.row + x * patches.stride * patches.channels);
  memory.places.clear();
  for (std::size_t y = 0; y < patches.side; ++y)
    for (std::size_t i = 0; i < stretch; ++i) memory.places.push_back(y * frame.row + i);

  const std::size_t together =
      std::clamp<std::size_t>(kRoom / (frame.size + patches.count() * filters), 1, std::max<std::size_t>(count, 1));
  memory.framed.assign(together * frame.size, 0.0F);
  for (std::size_t begin = 0; begin < count; begin += together) {
    const std::size_t block = std::min(together, count - begin);
    for (std::size_t i = 0; i < block; ++i)
      put_into_frame(patches, frame, images.data() + (begin + i) * patches.image_size(),
                     memory.framed.data() + i * frame.size);
    visit(begin, ConvolutionBlock{block, filters, frame.size, frame.row, stretch, patches.side, memory.patches,
                                  memory.places});
  }
}

}  // namespace

void convolve(const Patches& patches, std::span<const float> images, std::size_t count, std::span<const float> weights,
              std::span<float> output, ConvolutionMemory& memory) {
  const std::size_t filters = weights.size() / patches.size();
  memory.turned.resize(weights.size());
  turn(weights, patches.size(), memory.turned);
  for_each_block(patches, images, count, filters, memory, [&](std::size_t begin, const ConvolutionBlock& block) {
    HWY_DYNAMIC_DISPATCH(multiply_patches)
    (block, memory.framed.data(), memory.turned.data(), output.data() + begin * patches.count() * filters);
  });
}

void convolve_backward(const Patches& patches, std::span<const float> images, std::size_t count,
                       std::span<const float> weights, std::span<const float> output_gradient,
                       std::span<float> weight_gradient, std::span<float> image_gradient, ConvolutionMemory& memory) {
  const std::size_t filters = weights.size() / patches.size();
  const Frame frame(patches);
  memory.turned.assign(weights.size(), 0.0F);
  for_each_block(patches, images, count, filters, memory, [&](std::size_t begin, const ConvolutionBlock& block) {
    const float* gradient = output_gradient.data() + begin * patches.count() * filters;
    HWY_DYNAMIC_DISPATCH(add_weight_gradient)(block, memory.framed.data(), gradient, memory.turned.data());
    if (image_gradient.empty()) return;
    memory.framed_gradient.assign(block.images * frame.size, 0.0F);
    HWY_DYNAMIC_DISPATCH(add_image_gradient)(block, weights.data(), gradient, memory.framed_gradient.data());
    for (std::size_t i = 0; i < block.images; ++i)
      take_from_frame(patches, frame, memory.framed_gradient.data() + i * frame.size,
                      image_gradient.data() + (begin + i) * patches.image_size());
  });
  turn(memory.turned, filters, weight_gradient);
}

}  // namespace sotto
#endif
