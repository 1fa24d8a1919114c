// Results as curves over epsilon, one plot a metric. What each curve is, not how it looks: that is svg.h.
#pragma once

#include "sotto/report/results.h"

namespace sotto {

enum class SeriesKind { kOurs, kPublished, kCeiling };

struct PlotPoint {
  MaybeEpsilon epsilon;  // nullopt: no privacy, drawn in a panel of its own
  double value = 0;
  double sd = 0;
  bool operator==(const PlotPoint&) const = default;
};

struct PlotSeries {
  std::string name;
  SeriesKind kind = SeriesKind::kOurs;
  int colour = 0;         // curves about the same mechanism share one; ceilings count for themselves
  bool has_label = true;  // false for a published curve beside ours of the same colour
  std::vector<PlotPoint> points;
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotSeries> series;
};

std::vector<Plot> plots_of(const Results& results);

}  // namespace sotto
