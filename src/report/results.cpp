#include "sotto/report/results.h"

#include <algorithm>
#include <cstdio>

namespace sotto {

std::string epsilon_text(MaybeEpsilon epsilon) {
  if (!epsilon) return "none";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", *epsilon);
  return text;
}

std::vector<std::string> metrics_of(const Results& results) {
  std::vector<std::string> metrics;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows)
      if (std::find(metrics.begin(), metrics.end(), row.metric) == metrics.end()) metrics.push_back(row.metric);
  };
  add(results.rows);
  add(results.published);
  add(results.ceilings);
  return metrics;
}

}  // namespace sotto
