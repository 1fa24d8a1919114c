#include "sotto/report/png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>

namespace sotto {
namespace {

std::vector<std::uint8_t> decoded(const std::vector<std::uint8_t>& bytes, std::uint32_t format) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(image.format, format);
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
  return pixels;
}

TEST(Png, ReadsBackWhatItWrote) {
  const Picture grey = {3, 2, 1, {0, 1, 2, 100, 200, 255}, ""};
  EXPECT_EQ(decoded(encode_png(grey).value_or_throw(), PNG_FORMAT_GRAY), grey.pixels);
  const Picture colour = {1, 2, 3, {255, 0, 0, 10, 20, 30}, ""};
  EXPECT_EQ(decoded(encode_png(colour).value_or_throw(), PNG_FORMAT_RGB), colour.pixels);
}

TEST(Png, RefusesPicturesWhosePixelsDoNotFit) {
  EXPECT_FALSE(encode_png({2, 2, 1, {1, 2, 3}, ""}));
  EXPECT_FALSE(encode_png({2, 2, 1, {1, 2, 3, 4, 5}, ""}));
  EXPECT_FALSE(encode_png({0, 2, 1, {}, ""}));
  EXPECT_FALSE(encode_png({-1, -1, 1, {1}, ""}));
  EXPECT_FALSE(encode_png({1, 1, 2, {1, 2}, ""}));
}

TEST(PictureOf, ClipsValuesToBlackAndWhite) {
  const Picture picture = picture_of({-1, 0, 0.5F, 1, 2, NAN}, 3, 2, 1, "p").value_or_throw();
  EXPECT_EQ(picture.pixels, (std::vector<std::uint8_t>{0, 0, 128, 255, 255, 0}));
  EXPECT_FALSE(picture_of({1}, 2, 1, 1, ""));
}

}  // namespace
}  // namespace sotto
