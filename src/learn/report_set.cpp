#include "sotto/learn/report_set.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace sotto {

ReportSet report_set_of(const ReportBatch& batch, std::span<const std::uint32_t> rows) {
  ReportSet set;
  for (const std::uint32_t row : rows) {
    const Report features = batch.features(row);
    set.features.insert(set.features.end(), features.begin(), features.end());
    if (const auto label = batch.label(row)) set.labels.push_back(static_cast<std::int32_t>(*label));
  }
  return set;
}

ReportSet sorted_by_label(const ReportSet& reports) {
  if (reports.labels.empty()) return reports;
  const std::size_t length = reports.features.size() / reports.labels.size();
  std::vector<std::size_t> order(reports.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return reports.labels[a] < reports.labels[b]; });
  ReportSet sorted;
  for (const std::size_t n : order) {
    const auto report = reports.features.begin() + static_cast<std::ptrdiff_t>(n * length);
    sorted.features.insert(sorted.features.end(), report, report + static_cast<std::ptrdiff_t>(length));
    sorted.labels.push_back(reports.labels[n]);
  }
  return sorted;
}

}  // namespace sotto
