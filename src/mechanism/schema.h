// What a record looks like before the encoder: public knowledge, stored in the mechanism file.
//
// In memory a record is `width()` floats: an image's pixels scaled to [0, 1] in channel-row-column order, or one float
// per column: the raw number for a numeric column, the index into `categories` for a categorical one. Bounds and
// categories are public: they must come from public knowledge or auxiliary data, never from the private records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

// No record may have more values, no column or label more names. Such a record is 64 MiB, the most that a hostile
// header can make a reader hold, and an index below it is exact as a float.
inline constexpr std::size_t kMaxRecordWidth = std::size_t{1} << 24;

struct ImageShape {
  std::int32_t channels = 1;
  std::int32_t height = 0;
  std::int32_t width = 0;
  bool operator==(const ImageShape&) const = default;
};

struct Column {
  enum class Kind { kNumeric, kCategorical };
  std::string name;
  Kind kind = Kind::kNumeric;
  double minimum = 0;  // numeric: public bounds, minimum < maximum
  double maximum = 1;
  std::vector<std::string> categories;  // categorical: at least two, distinct
  bool operator==(const Column&) const = default;
};

// Either an image or a list of columns, never both.
struct InputSchema {
  std::optional<ImageShape> image;
  std::vector<Column> columns;

  std::size_t width() const;
  Status validate() const;
  bool operator==(const InputSchema&) const = default;
};

struct LabelSchema {
  std::string name;
  std::vector<std::string> classes;  // at least two, distinct

  Status validate() const;
  bool operator==(const LabelSchema&) const = default;
};

}  // namespace sotto
