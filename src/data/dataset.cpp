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

Dataset select_rows(const Dataset& data, std::span<const std::uint32_t> rows) {
  Dataset selected{rows.size(), data.width, {}, {}};
  selected.values.reserve(rows.size() * data.width);
  for (const std::uint32_t row : rows) {
    const auto begin = data.values.begin() + static_cast<std::ptrdiff_t>(row * data.width);
    selected.values.insert(selected.values.end(), begin, begin + static_cast<std::ptrdiff_t>(data.width));
    if (!data.labels.empty()) selected.labels.push_back(data.labels[row]);
  }
  return selected;
}

}  // namespace sotto
