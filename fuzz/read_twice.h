// What every reader of records must satisfy, whatever the bytes: batches are consistent, memory follows the input, and
// the outcome does not depend on the batch size.
#pragma once

#include <cstring>
#include <string>

#include "require.h"
#include "sotto/data/record_source.h"

namespace sotto::fuzz {

struct Outcome {
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  std::string fault;
};

inline Outcome read_all(RecordSource& source, std::size_t max_rows) {
  Outcome outcome;
  for (Batch batch;;) {
    const Result<std::size_t> rows = source.read(batch, max_rows);
    require(batch.values.size() == batch.rows * source.width());
    require(batch.labels.size() == (source.has_labels() ? batch.rows : 0));
    require(batch.rows <= max_rows && (!rows || *rows == batch.rows));
    if (!rows) outcome.fault = rows.error().message;
    if (!rows || *rows == 0) return outcome;
    outcome.values.insert(outcome.values.end(), batch.values.begin(), batch.values.end());
    outcome.labels.insert(outcome.labels.end(), batch.labels.begin(), batch.labels.end());
  }
}

// `open()` opens the same bytes anew and returns a Result of a pointer to a source. Returns what it read.
template <typename Open>
Outcome read_twice(Open open, std::size_t input_bytes) {
  auto source = open();
  if (!source) {
    require(!source.error().message.empty());
    return {};
  }
  const Outcome outcome = read_all(**source, 1);
  require(outcome.values.size() <= input_bytes + 1);  // a value needs a byte, or the comma before the next
  auto again = open();
  require(static_cast<bool>(again));
  const Outcome other = read_all(**again, 3);
  require(outcome.fault == other.fault && outcome.labels == other.labels);
  require(outcome.values.size() == other.values.size());
  require(outcome.values.empty() ||
          std::memcmp(outcome.values.data(), other.values.data(), 4 * other.values.size()) == 0);
  return outcome;
}

}  // namespace sotto::fuzz
