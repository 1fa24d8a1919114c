// Small pictures, and the PNG files that browsers want.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

struct Picture {
  int width = 0, height = 0;
  int channels = 1;                  // 1: grey, 3: red, green, blue
  std::vector<std::uint8_t> pixels;  // row by row from the top, channels interleaved
  std::string caption;
};

// A picture of values in [0, 1], as data sets and decoders have them; what lies outside is clipped, NaN is black.
Result<Picture> picture_of(const std::vector<float>& values, int width, int height, int channels, std::string caption);

Result<std::vector<std::uint8_t>> encode_png(const Picture& picture);

}  // namespace sotto
