#include "sotto/data/array_source.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace sotto {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as stored");
static_assert(std::numeric_limits<float>::is_iec559, "a double beyond float becomes an infinity");

constexpr auto kPixelOfByte = [] {
  std::array<float, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i) / 255.0F;
  return table;
}();

std::size_t bytes_of(ElementType element) {
  switch (element) {
    case ElementType::kUint8:
      return 1;
    case ElementType::kInt32:
    case ElementType::kFloat32:
      return 4;
    case ElementType::kInt64:
    case ElementType::kFloat64:
      return 8;
  }
  return 0;
}

void pixels_of_bytes(const std::byte* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = kPixelOfByte[std::to_integer<std::uint8_t>(from[i])];
}

template <typename T>
void convert_as(const std::byte* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, from + i * sizeof(T), sizeof(T));
    to[i] = static_cast<float>(element);
  }
}

void convert(ElementType element, const std::byte* from, std::size_t count, float* to) {
  switch (element) {
    case ElementType::kUint8:
      return convert_as<std::uint8_t>(from, count, to);
    case ElementType::kInt32:
      return convert_as<std::int32_t>(from, count, to);
    case ElementType::kInt64:
      return convert_as<std::int64_t>(from, count, to);
    case ElementType::kFloat32:
      return convert_as<float>(from, count, to);
    case ElementType::kFloat64:
      return convert_as<double>(from, count, to);
  }
}

// Converts `count` elements and returns how many of them precede the first one that is not allowed.
std::size_t convert_checked(ElementType element, ValueScale scale, const std::byte* from, std::size_t count,
                            float* to) {
  if (scale == ValueScale::kPixel && element == ElementType::kUint8) {
    pixels_of_bytes(from, count, to);
    return count;
  }
  convert(element, from, count, to);
  if (scale == ValueScale::kAsStored) return count;
  return static_cast<std::size_t>(std::find_if(to, to + count, [](float value) { return value < 0 || value > 1; }) -
                                  to);
}

bool multiply(std::uint64_t& product, std::uint64_t factor) {
  if (factor != 0 && product > std::numeric_limits<std::uint64_t>::max() / factor) return false;
  product *= factor;
  return true;
}

// Rows times width, times the size of an element; nothing when it does not fit.
std::optional<std::uint64_t> total_bytes(std::uint64_t rows, std::uint64_t width, ElementType element) {
  std::uint64_t total = rows;
  if (!multiply(total, width) || !multiply(total, bytes_of(element))) return std::nullopt;
  return total;
}

}  // namespace

Result<std::unique_ptr<ArraySource>> ArraySource::make(ByteStream body, ElementType element, ValueScale scale,
                                                       std::vector<std::uint64_t> shape) {
  if (shape.empty()) return body.invalid("the array has no extents, allowed is at least one: the number of records");
  std::uint64_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) {
    if (!multiply(width, shape[i])) width = kMaxRecordWidth + 1;
    if (width < 1 || width > kMaxRecordWidth) {
      return body.invalid("extents 2 to " + std::to_string(i + 1) + " of the header give a record of " +
                          (width < 1 ? "no values" : "too many values") + ", allowed are 1 to " +
                          std::to_string(kMaxRecordWidth));
    }
  }
  const std::optional<std::uint64_t> announced = total_bytes(shape[0], width, element);
  if (!announced) return body.invalid("the header announces more than 2^64 bytes");
  if (body.remaining() && *body.remaining() != *announced) {
    return body.invalid("the header announces " + std::to_string(*announced) + " bytes after byte " +
                        std::to_string(body.offset()) + ", the file has " + std::to_string(*body.remaining()));
  }
  return std::unique_ptr<ArraySource>(
      new ArraySource(std::move(body), element, scale, std::move(shape), static_cast<std::size_t>(width)));
}

ArraySource::ArraySource(ByteStream body, ElementType element, ValueScale scale, std::vector<std::uint64_t> shape,
                         std::size_t width)
    : body_(std::move(body)),
      element_(element),
      scale_(scale),
      shape_(std::move(shape)),
      width_(width),
      rows_left_(shape_[0]) {}

Status ArraySource::fill(Batch& batch, std::size_t max_rows) {
  const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(max_rows, rows_left_));
  std::size_t done = 0;
  Status status = read_values(batch.values, rows * width_, done);
  batch.rows = done / width_;
  rows_left_ -= batch.rows;
  if (status && rows == 0) {
    const auto extra = body_.peek(1);
    if (!extra) return extra.error();
    if (!extra->empty())
      return body_.invalid("bytes follow the last record, at byte " + std::to_string(body_.offset()));
  }
  return status;
}

Status ArraySource::read_values(std::vector<float>& values, std::size_t count, std::size_t& done) {
  const std::size_t element_bytes = bytes_of(element_);
  while (done < count) {
    const auto bytes = body_.peek(element_bytes);
    if (!bytes) return bytes.error();
    const std::size_t ready = std::min(bytes->size() / element_bytes, count - done);
    if (ready == 0) {
      return body_.invalid("ends within record " + std::to_string(shape_[0] - rows_left_ + done / width_ + 1) + " of " +
                           std::to_string(shape_[0]) + ", at byte " + std::to_string(body_.offset() + bytes->size()));
    }
    if (values.size() < done + ready) values.resize(done + ready);
    const std::size_t good = convert_checked(element_, scale_, bytes->data(), ready, values.data() + done);
    if (good < ready) {
      done += good;
      return out_of_range(done);
    }
    body_.consume(ready * element_bytes);
    done += ready;
  }
  return {};
}

Error ArraySource::out_of_range(std::size_t place) const {
  return body_.invalid("record " + std::to_string(shape_[0] - rows_left_ + place / width_ + 1) + ", value " +
                       std::to_string(place % width_ + 1) +
                       ": a pixel outside of [0, 1]; scale the pixels, or store them as unsigned bytes");
}

}  // namespace sotto
