// All records of a source in memory, for training. Not for the device side: that one streams (record_source.h).
#pragma once

#include <span>

#include "sotto/data/record_source.h"

namespace sotto {

struct Dataset {
  std::size_t rows = 0;
  std::size_t width = 0;
  std::vector<float> values;         // rows x width, row by row
  std::vector<std::int32_t> labels;  // one a row, or empty
};

// Reads to the end. Memory grows with the records that arrive, not with what a header promises.
Result<Dataset> load(RecordSource& source);

// The named rows, in the order in which they are named, with their labels if there are any. Each must exist.
Dataset select_rows(const Dataset& data, std::span<const std::uint32_t> rows);

}  // namespace sotto
