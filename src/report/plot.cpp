#include "sotto/report/plot.h"

#include <algorithm>
#include <map>

namespace sotto {
namespace {

// The mechanism, with the channel and the learner only where several of ours share it and differ in them.
std::string name_of(const ResultRow& row, const std::vector<ResultRow>& rows) {
  bool with_channel = false, with_learner = false;
  for (const ResultRow& other : rows) {
    if (other.metric != row.metric || other.mechanism != row.mechanism) continue;
    with_channel |= other.channel != row.channel;
    with_learner |= other.learner != row.learner;
  }
  return row.mechanism + (with_channel ? ", " + row.channel : "") + (with_learner ? ", " + row.learner : "");
}

bool is_before(const PlotPoint& a, const PlotPoint& b) {
  return a.epsilon.has_value() != b.epsilon.has_value() ? a.epsilon.has_value()
                                                        : a.epsilon.has_value() && *a.epsilon < *b.epsilon;
}

class PlotBuilder {
 public:
  PlotBuilder(const Results& results, const std::string& metric) : results_(results), metric_(metric) {
    plot_ = {metric, "privacy budget ε", metric + ", %", {}};
  }

  Plot build() {
    add_ours();
    add_published();
    int ceilings = 0;
    for (const Curve& curve : results_.ceilings) {
      if (curve.metric != metric_) continue;
      PlotSeries& series = series_of(curve.name, SeriesKind::kCeiling, ceilings++);
      for (const CurvePoint& point : curve.points) series.points.push_back({point.epsilon, point.value, 0});
    }
    for (PlotSeries& series : plot_.series) std::stable_sort(series.points.begin(), series.points.end(), is_before);
    return std::move(plot_);
  }

 private:
  PlotSeries& series_of(const std::string& name, SeriesKind kind, int colour) {
    for (PlotSeries& series : plot_.series)
      if (series.name == name && series.kind == kind) return series;
    plot_.series.push_back({name, kind, colour, true, {}});
    if (kind != SeriesKind::kCeiling) colours_ = std::max(colours_, colour + 1);
    return plot_.series.back();
  }

  void add_ours() {
    for (const ResultRow& row : results_.rows) {
      if (row.metric != metric_) continue;
      PlotSeries& series = series_of(name_of(row, results_.rows), SeriesKind::kOurs, colours_);
      series.points.push_back({row.epsilon, row.mean, row.sd});
      colour_of_mechanism_.try_emplace(row.mechanism, series.colour);
    }
  }

  void add_published() {
    for (const PublishedRow& row : results_.published) {
      if (row.metric != metric_) continue;
      const auto ours = colour_of_mechanism_.find(row.mechanism);
      const bool is_beside_ours = ours != colour_of_mechanism_.end();
      PlotSeries& series =
          series_of(row.mechanism + ", published", SeriesKind::kPublished, is_beside_ours ? ours->second : colours_);
      series.has_label = !is_beside_ours;
      series.points.push_back({row.epsilon, row.mean, 0});
    }
  }

  const Results& results_;
  const std::string& metric_;
  Plot plot_;
  int colours_ = 0;
  std::map<std::string, int> colour_of_mechanism_;
};

}  // namespace

std::vector<Plot> plots_of(const Results& results) {
  std::vector<Plot> plots;
  for (const std::string& metric : metrics_of(results)) plots.push_back(PlotBuilder(results, metric).build());
  return plots;
}

}  // namespace sotto
