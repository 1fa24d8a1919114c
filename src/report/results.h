// What an experiment found, in percent, beside what was published and what is possible. Knows nothing of how the
// numbers came about; how they are shown is the business of table.h, plot.h, markdown.h and html.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

using MaybeEpsilon = std::optional<double>;  // nullopt: no privacy

// One cell: a way to privatise and learn, at one epsilon, over some trials.
struct ResultRow {
  std::string mechanism, channel, learner;
  MaybeEpsilon epsilon;
  std::string metric;
  double mean = 0, sd = 0;  // sd: of the sample; 0 for one trial
  int trials = 0;
  std::vector<double> values;  // one a trial
  std::string commit = {};     // of the code that computed them, several if trials differ
  bool operator==(const ResultRow&) const = default;
};

// A cell of somebody's table. Stands beside our rows of the same mechanism and metric.
struct PublishedRow {
  std::string mechanism, source;  // source: "Man21, Table 1"
  MaybeEpsilon epsilon;
  std::string metric;
  double mean = 0;
  bool operator==(const PublishedRow&) const = default;
};

struct CurvePoint {
  MaybeEpsilon epsilon;
  double value = 0;
  bool operator==(const CurvePoint&) const = default;
};

// A bound over epsilon, as densely sampled as it should be drawn. Tables show the points at their own epsilons.
struct Curve {
  std::string name, metric;
  std::vector<CurvePoint> points;
  bool operator==(const Curve&) const = default;
};

struct Results {
  std::string name, title, command, commit, date;
  double seconds = 0;
  std::vector<ResultRow> rows;
  std::vector<PublishedRow> published;
  std::vector<Curve> ceilings;
  std::vector<std::string> notes;
  bool operator==(const Results&) const = default;
};

// Two epsilons are the same when they agree to six digits: 0.7 · 6 is 4.2.
std::string epsilon_text(MaybeEpsilon epsilon);  // "4.2"; "none" for no privacy

// The metrics of all rows, published rows and curves, each once, in order of first appearance.
std::vector<std::string> metrics_of(const Results& results);

}  // namespace sotto
