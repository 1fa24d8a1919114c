// Results as tables, one a metric: epsilons across, ways to privatise and learn down. Each of our rows stands above the
// published row of the same mechanism; ceilings come last. A cell of ours says how far it is from the published one,
// and is marked when it reaches it (both rounded to the one decimal that is shown).
#pragma once

#include "sotto/report/results.h"

namespace sotto {

struct TableCell {
  std::string text;        // "86.1 ± 0.3"; empty: not measured
  std::string difference;  // "+1.2" against the published cell, or empty
  bool reaches_published = false;
};

enum class TableRowKind { kOurs, kPublished, kCeiling };

struct TableRow {
  TableRowKind kind = TableRowKind::kOurs;
  std::vector<std::string> names;  // under the first headings
  std::vector<TableCell> cells;    // under the others
  std::string source;              // of what is published
};

struct Table {
  std::string caption;
  std::vector<std::string> name_headings;  // "mechanism", "channel", "learner"
  std::vector<std::string> cell_headings;  // "10", "8", …, "none"
  std::vector<TableRow> rows;
};

std::vector<Table> tables_of(const Results& results);

}  // namespace sotto
