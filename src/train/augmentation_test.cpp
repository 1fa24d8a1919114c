#include "sotto/train/augmentation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr AugmentationOptions kNone;

std::vector<float> draw_image(const ImageShape& shape) {
  SeededEntropy entropy(1);
  std::vector<float> image(static_cast<std::size_t>(shape.channels * shape.height * shape.width));
  for (float& pixel : image) pixel = draw_uniform(entropy);
  return image;
}

std::vector<float> augment(const ImageShape& shape, const AugmentationOptions& options, std::span<const float> image,
                           std::uint64_t seed) {
  ImageAugmentation augmentation(shape, options);
  SeededEntropy entropy(seed);
  std::vector<float> augmented(image.size(), -1);
  augmentation.apply(image, entropy, augmented);
  return augmented;
}

TEST(ImageAugmentation, IsTheIdentityWhenEverythingIsSwitchedOff) {
  for (const ImageShape& shape : {ImageShape{1, 6, 6}, ImageShape{3, 5, 8}, ImageShape{1, 1, 7}, ImageShape{2, 1, 1}}) {
    const auto image = draw_image(shape);
    const auto augmented = augment(shape, kNone, image, 3);
    for (std::size_t i = 0; i < image.size(); ++i) EXPECT_NEAR(augmented[i], image[i], 1e-5);
  }
}

TEST(ImageAugmentation, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const ImageShape shape{1, 12, 12};
  const auto image = draw_image(shape);
  for (const AugmentationOptions& options : {kViewsOfObjects, kViewsOfDigits}) {
    EXPECT_EQ(augment(shape, options, image, 5), augment(shape, options, image, 5));
    EXPECT_NE(augment(shape, options, image, 5), augment(shape, options, image, 6));
  }
}

TEST(ImageAugmentation, KeepsPixelsBetweenBlackAndWhite) {
  const ImageShape shape{2, 9, 14};
  const auto image = draw_image(shape);
  AugmentationOptions wild = kViewsOfDigits;
  wild.rotation_degrees = 180;
  wild.shift = 2;
  wild.elastic = 0.5F;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const AugmentationOptions& options : {kViewsOfObjects, wild})
      for (const float pixel : augment(shape, options, image, seed)) ASSERT_TRUE(pixel >= 0 && pixel <= 1 + 1e-6F);
}

// A lone bright pixel moves by what was drawn, up to the given size, and its light is kept.
TEST(ImageAugmentation, ShiftsByAtMostTheGivenNumberOfPixelsInEveryDirection) {
  constexpr std::int32_t kSide = 15;
  constexpr std::size_t kMiddle = 7;
  AugmentationOptions options = kNone;
  options.shift = 3.0F / kSide;
  std::vector<float> image(kSide * kSide, 0);
  image[kMiddle * kSide + kMiddle] = 1;
  float leftmost = 0, rightmost = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto moved = augment({1, kSide, kSide}, options, image, seed);
    float light = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      light += moved[i];
      x += moved[i] * (static_cast<float>(i % kSide) - kMiddle);
      y += moved[i] * (static_cast<float>(i / kSide) - kMiddle);
    }
    EXPECT_NEAR(light, 1, 1e-4);
    EXPECT_LE(std::max(std::abs(x), std::abs(y)), 3 + 1e-4F);
    leftmost = std::min(leftmost, x);
    rightmost = std::max(rightmost, x);
  }
  EXPECT_LT(leftmost, -2);
  EXPECT_GT(rightmost, 2);
}

TEST(ImageAugmentation, TurnsAboutTheMiddle) {
  constexpr std::int32_t kSide = 11;
  AugmentationOptions options = kNone;
  options.rotation_degrees = 90;
  std::vector<float> image(kSide * kSide, 0);
  image[5 * kSide + 5] = 1;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_NEAR(augment({1, kSide, kSide}, options, image, seed)[5 * kSide + 5], 1, 1e-4);
}

TEST(ImageAugmentation, DrawsStrokesThickerAndThinnerAboutAsOften) {
  constexpr std::int32_t kSide = 10;
  AugmentationOptions options = kNone;
  options.stroke_probability = 1;
  std::vector<float> image(kSide * kSide, 0);
  for (std::size_t row = 3; row < 6; ++row)
    for (std::size_t column = 3; column < 6; ++column) image[row * kSide + column] = 1;
  std::size_t thicker = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    float light = 0;
    for (const float pixel : augment({1, kSide, kSide}, options, image, seed)) light += pixel;
    EXPECT_TRUE(std::abs(light - 16) < 1e-3F || std::abs(light - 4) < 1e-3F) << light;  // 3 × 3 becomes 4 × 4 or 2 × 2
    thicker += light > 9 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(thicker), 100, 40);  // 5.7 standard deviations
}

TEST(ImageAugmentation, ErasesTheSameBoxInEveryChannel) {
  AugmentationOptions options = kNone;
  options.erase_probability = 1;
  const ImageShape shape{2, 20, 20};
  const std::vector<float> white(800, 1);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto erased = augment(shape, options, white, seed);
    const auto black = static_cast<std::size_t>(
        std::count_if(erased.begin(), erased.begin() + 400, [](float pixel) { return pixel < 0.5F; }));
    EXPECT_GE(black, 1U);
    EXPECT_LE(black, 16U);
    EXPECT_TRUE(std::equal(erased.begin(), erased.begin() + 400, erased.begin() + 400));
  }
}

TEST(ImageAugmentation, ExchangesLeftAndRightAboutAsOftenAsItSays) {
  const ImageShape shape{2, 3, 5};
  const auto image = draw_image(shape);
  std::vector<float> mirrored;
  for (std::size_t row = 0; row < image.size(); row += 5)
    for (std::size_t column = 5; column-- > 0;) mirrored.push_back(image[row + column]);
  const auto same = [](std::span<const float> a, std::span<const float> b) {
    return std::ranges::equal(a, b, [](float x, float y) { return std::abs(x - y) < 1e-5F; });
  };
  const auto exchanged = [&](float probability) {
    AugmentationOptions options = kNone;
    options.mirror_probability = probability;
    double count = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      const auto view = augment(shape, options, image, seed);
      EXPECT_TRUE(same(view, image) || same(view, mirrored));
      count += same(view, mirrored) ? 1 : 0;
    }
    return count;
  };
  EXPECT_LT(std::abs(exchanged(0.25F) - 100), 44);     // 5 standard deviations
  for (const float wrong : {0.0F, 0.05F, 0.5F, 1.0F})  // what the bound must tell from it
    EXPECT_GT(std::abs(exchanged(wrong) - 100), 44);
}

TEST(ImageAugmentation, DimsAllChannelsAlikeAndByNoMoreThanItSays) {
  AugmentationOptions options = kNone;
  options.dimming = 0.4F;
  const ImageShape shape{2, 4, 4};
  const std::vector<float> white(32, 1);
  float darkest = 1;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto view = augment(shape, options, white, seed);
    for (const float pixel : view) EXPECT_EQ(pixel, view[0]);
    darkest = std::min(darkest, view[0]);
    EXPECT_LE(view[0], 1);
  }
  EXPECT_GE(darkest, 0.6F - 1e-6F);
  EXPECT_LT(darkest, 0.65F);
}

TEST(ImageAugmentation, HasViewsByName) {
  EXPECT_EQ(augmentation_named("digits").value_or_throw().stroke_probability, kViewsOfDigits.stroke_probability);
  EXPECT_EQ(augmentation_named("objects").value_or_throw().mirror_probability, kViewsOfObjects.mirror_probability);
  EXPECT_FALSE(augmentation_named("ghosts"));
}

}  // namespace
}  // namespace sotto
