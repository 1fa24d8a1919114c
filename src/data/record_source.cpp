#include "sotto/data/record_source.h"

namespace sotto {

Result<std::size_t> RecordSource::read(Batch& batch, std::size_t max_rows) {
  batch.rows = 0;
  if (max_rows == 0) return refuse("max_rows: received 0, allowed is at least 1");
  if (!fault_) {
    if (Status status = fill(batch, max_rows); !status) fault_ = status.error();
  }
  batch.values.resize(batch.rows * width());
  batch.labels.resize(has_labels() ? batch.rows : 0);
  if (fault_ && batch.rows == 0) return *fault_;
  return batch.rows;
}

}  // namespace sotto
