// Records as a stream of batches, whatever file they come from. Memory is one batch plus a fixed buffer, however long
// the input is; records that precede a fault in the input are delivered before the fault is, for every batch size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sotto/kernel/result.h"
#include "sotto/mechanism/schema.h"

namespace sotto {

// Consecutive records. `values` holds rows x width floats, row by row, in the form that schema.h describes;
// `labels` holds one class index a row, or nothing when the source has no labels. Reuse a batch: it keeps its memory.
struct Batch {
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  std::size_t rows = 0;
};

class RecordSource {
 public:
  virtual ~RecordSource() = default;
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;

  // Floats a record, 1 to kMaxRecordWidth.
  virtual std::size_t width() const = 0;
  virtual bool has_labels() const = 0;

  // Replaces the batch with the next records and returns how many there are: max_rows, fewer before the end or a fault
  // of the input, 0 at the end. A fault is permanent; it empties the batch, and every later read returns it again.
  Result<std::size_t> read(Batch& batch, std::size_t max_rows);

 protected:
  RecordSource() = default;

  // Sets batch.rows to the number of whole records read, also when it returns an error; read() makes the vectors fit.
  // The vectors come with the size of the previous batch and should grow only as data arrive.
  virtual Status fill(Batch& batch, std::size_t max_rows) = 0;

 private:
  std::optional<Error> fault_;
};

}  // namespace sotto
