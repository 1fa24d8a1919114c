#include "sotto/report/png.h"

#include <png.h>

#include <algorithm>
#include <cmath>

namespace sotto {
namespace {

constexpr int kMaxSide = 16'384;

Status validate(std::size_t pixels, int width, int height, int channels) {
  const auto is_side = [](int side) { return 0 < side && side <= kMaxSide; };
  if (!is_side(width) || !is_side(height))
    return refuse("a picture of " + std::to_string(width) + " by " + std::to_string(height) + ": sides are 1 to " +
                  std::to_string(kMaxSide));
  if (channels != 1 && channels != 3) return refuse("channels = " + std::to_string(channels) + " is not 1 or 3");
  const std::size_t needed = static_cast<std::size_t>(width) * static_cast<std::size_t>(height * channels);
  if (pixels != needed)
    return refuse(std::to_string(pixels) + " values for a picture that has " + std::to_string(needed));
  return {};
}

}  // namespace

Result<Picture> picture_of(const std::vector<float>& values, int width, int height, int channels, std::string caption) {
  if (const Status status = validate(values.size(), width, height, channels); !status) return status.error();
  Picture picture = {width, height, channels, std::vector<std::uint8_t>(values.size()), std::move(caption)};
  std::transform(values.begin(), values.end(), picture.pixels.begin(), [](float value) {
    return static_cast<std::uint8_t>(std::lround(255 * (value > 0 ? std::min(value, 1.0F) : 0.0F)));
  });
  return picture;
}

Result<std::vector<std::uint8_t>> encode_png(const Picture& picture) {
  if (const Status status = validate(picture.pixels.size(), picture.width, picture.height, picture.channels); !status)
    return status.error();
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = picture.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr) == 0)
    return Error{ErrorCode::kIo, std::string("libpng: ") + image.message};
  bytes.resize(size);
  return bytes;
}

}  // namespace sotto
