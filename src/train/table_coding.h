// How a network in training sees a table's record: numbers at mean 0 and variance 1, categories as one-hot blocks. A
// device has one float per column instead, a category's being its index (schema.h); on_records() fits a trained network
// to that, by layers that devices know already.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/data/dataset.h"
#include "sotto/encoder/network.h"
#include "sotto/mechanism/schema.h"

namespace sotto {

class TableCoding {
 public:
  // Means, deviations and ranges are those of the auxiliary records. Fails when a value is missing, infinite or no
  // category.
  static Result<TableCoding> make(const Dataset& auxiliary, std::span<const Column> columns);

  std::size_t width() const { return width_; }

  // Codes one column of a record. `coded` is the whole record, still zero there.
  void write(std::size_t column, float value, std::span<float> coded) const {
    const Part& part = parts_[column];
    if (part.categories > 0)
      coded[part.place + static_cast<std::size_t>(value)] = 1;
    else
      coded[part.place] = (value - part.mean) * part.scale;
  }

  // What does to a record what `on_coded`, whose first layer is dense, does to the coded one. A number outside of the
  // auxiliary records' range counts as the nearest in it: the network has learnt nothing beyond.
  Result<Network> on_records(const Network& on_coded) const;

 private:
  struct Part {
    std::size_t place;
    std::size_t categories;  // 0 for a number
    float mean, scale;       // of a number; scale 0 if it is constant
    float least, step;       // the knots: a category's index, or the ends of a number's range
    std::size_t knots() const { return categories > 0 ? categories : 2; }
    float at_knot(std::size_t knot, std::span<const float> weights) const;
  };
  static Part number(std::span<const float> values, std::size_t width, std::size_t place);
  DenseLayer bends() const;
  DenseLayer slopes(const DenseLayer& first) const;

  std::vector<Part> parts_;
  std::size_t width_ = 0;
};

}  // namespace sotto
