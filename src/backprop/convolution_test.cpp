#include "sotto/backprop/convolution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/backprop/instruction_sets_test.h"
#include "sotto/backprop/random.h"

namespace sotto {
namespace {

std::vector<float> draw(std::size_t size, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  std::vector<float> values(size);
  for (float& value : values) value = draw_standard_normal(entropy);
  return values;
}

// Calls visit(output, weight, pixel) for every product of the definition; pixels outside the image have none.
template <class Visit>
void for_each_product(const Patches& patches, std::size_t count, std::size_t filters, const Visit& visit) {
  const auto inside = [&](std::size_t patch, std::size_t within, std::size_t extent, std::size_t& place) {
    place = patch * patches.stride + within - patches.padding;  // wraps to something huge when outside
    return place < extent;
  };
  const bool planes = patches.order == Patches::Order::kPlanes;
  for (std::size_t image = 0; image < count; ++image)
    for (std::size_t row = 0; row < patches.rows(); ++row)
      for (std::size_t column = 0; column < patches.columns(); ++column)
        for (std::size_t i = 0; i < patches.size(); ++i) {
          std::size_t y = 0, x = 0;
          const std::size_t channel = i % patches.channels, place = i / patches.channels;
          if (!inside(row, place / patches.side, patches.height, y) ||
              !inside(column, place % patches.side, patches.width, x))
            continue;
          const std::size_t pixel = planes ? (channel * patches.height + y) * patches.width + x
                                           : (y * patches.width + x) * patches.channels + channel;
          const std::size_t patch = image * patches.count() + row * patches.columns() + column;
          for (std::size_t filter = 0; filter < filters; ++filter)
            visit(patch * filters + filter, filter * patches.size() + i, image * patches.image_size() + pixel);
        }
}

void expect_near(std::span<const float> values, std::span<const double> expected, const char* what) {
  ASSERT_EQ(values.size(), expected.size());
  double largest = 1;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(static_cast<double>(values[i]), expected[i], 1e-5 * largest) << what << " " << i;
}

struct Case {
  Patches patches;
  std::size_t filters;
};

class EveryConvolution : public testing::TestWithParam<Case> {};

TEST_P(EveryConvolution, AndItsGradientsEqualTheirDefinition) {
  const auto& [patches, filters] = GetParam();
  const bool planes = patches.order == Patches::Order::kPlanes;
  for (const std::size_t count : {1U, 3U, 40U}) {
    const auto images = draw(count * patches.image_size(), 1), weights = draw(filters * patches.size(), 2);
    const auto slopes = draw(count * patches.count() * filters, 3);
    std::vector<double> output(slopes.size()), weight_gradient(weights.size()), image_gradient(images.size());
    for_each_product(patches, count, filters, [&](std::size_t o, std::size_t w, std::size_t p) {
      output[o] += static_cast<double>(weights[w]) * static_cast<double>(images[p]);
      weight_gradient[w] += static_cast<double>(slopes[o]) * static_cast<double>(images[p]);
      image_gradient[p] += static_cast<double>(slopes[o]) * static_cast<double>(weights[w]);
    });
    // What the memory holds from before must not matter.
    ConvolutionMemory memory;
    memory.framed.assign(7, 9.0F);
    std::vector<float> computed(output.size(), 9.0F), of_weights(weights.size(), 9.0F);
    std::vector<float> of_images(planes ? 0 : images.size(), 9.0F);
    on_every_instruction_set([&] {
      convolve(patches, images, count, weights, computed, memory);
      convolve_backward(patches, images, count, weights, slopes, of_weights, of_images, memory);
      expect_near(computed, output, "output");
      expect_near(of_weights, weight_gradient, "gradient of weight");
      if (!planes) expect_near(of_images, image_gradient, "gradient of pixel");
    });
  }
}

// Filters and channels below, at and above the widths of vectors of any machine, and odd ones.
INSTANTIATE_TEST_SUITE_P(Backprop, EveryConvolution,
                         testing::Values(Case{{1, 28, 28, 5, 2, 2, Patches::Order::kPlanes}, 16},
                                         Case{{3, 9, 7, 3, 1, 1, Patches::Order::kPlanes}, 5},
                                         Case{{16, 14, 14, 3, 2, 1}, 32}, Case{{32, 7, 7, 3, 2, 1}, 64},
                                         Case{{5, 6, 8, 3, 3, 0}, 37}, Case{{2, 4, 4, 4, 1, 0}, 1},
                                         Case{{19, 5, 5, 1, 1, 0}, 51}));

}  // namespace
}  // namespace sotto
