// Records out of a dense array of numbers, row after row: what IDX and NPY files are once their header is read.
//
// A header is not believed beyond its arithmetic: a shape whose size overflows, or disagrees with the length of the
// file where that is known, is refused at once; from a pipe, memory grows only with the bytes that arrive.
#pragma once

#include <memory>

#include "sotto/data/byte_stream.h"
#include "sotto/data/record_source.h"

namespace sotto {

enum class ElementType { kUint8, kInt32, kInt64, kFloat32, kFloat64 };  // little-endian

enum class ValueScale {
  kAsStored,  // the stored number, rounded to float
  kPixel,     // an image's [0, 1]: uint8 is divided by 255; other types must be in range already (or NaN)
};

class ArraySource final : public RecordSource {
 public:
  // `body` stands at the first element. The first extent of `shape` counts the records, the others make up the width.
  static Result<std::unique_ptr<ArraySource>> make(ByteStream body, ElementType element, ValueScale scale,
                                                   std::vector<std::uint64_t> shape);

  const std::vector<std::uint64_t>& shape() const { return shape_; }
  ElementType element() const { return element_; }
  std::size_t width() const override { return width_; }
  bool has_labels() const override { return false; }

 private:
  ArraySource(ByteStream body, ElementType element, ValueScale scale, std::vector<std::uint64_t> shape,
              std::size_t width);
  Status fill(Batch& batch, std::size_t max_rows) override;
  Status read_values(std::vector<float>& values, std::size_t count, std::size_t& done);
  Error out_of_range(std::size_t place) const;

  ByteStream body_;
  ElementType element_;
  ValueScale scale_;
  std::vector<std::uint64_t> shape_;
  std::size_t width_;
  std::uint64_t rows_left_;
};

}  // namespace sotto
