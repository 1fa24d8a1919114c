#include "sotto/data/dataset.h"

#include <algorithm>

namespace sotto {

Result<Dataset> load(RecordSource& source) {
  constexpr std::size_t kBatchFloats = std::size_t{1} << 18;
  const std::size_t max_rows = std::max<std::size_t>(1, kBatchFloats / source.width());
  Dataset dataset{.rows = 0, .width = source.width(), .values = {}, .labels = {}};
  for (Batch batch;;) {
    const Result<std::size_t> rows = source.read(batch, max_rows);
    if (!rows) return rows.error();
    if (*rows == 0) return dataset;
    dataset.rows += *rows;
    dataset.values.insert(dataset.values.end(), batch.values.begin(), batch.values.end());
    dataset.labels.insert(dataset.labels.end(), batch.labels.begin(), batch.labels.end());
  }
}

}  // namespace sotto
