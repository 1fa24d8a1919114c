#include "sotto/report/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sotto {
namespace {

std::string with_one_decimal(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", number);
  return text;
}

double rounded(double number) { return std::round(10 * number) / 10; }

// With a true minus sign, and no sign for zero.
std::string signed_text(double number) {
  if (number > 0) return "+" + with_one_decimal(number);
  return number < 0 ? "−" + with_one_decimal(-number) : "0.0";
}

// Largest epsilon first, no privacy last: the order of the papers.
std::vector<MaybeEpsilon> columns_of(const Results& results, const std::string& metric) {
  std::vector<MaybeEpsilon> columns;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows)
      if (row.metric == metric) columns.push_back(row.epsilon);
  };
  add(results.rows);
  add(results.published);
  std::sort(columns.begin(), columns.end(), [](MaybeEpsilon a, MaybeEpsilon b) {
    return a.has_value() != b.has_value() ? a.has_value() : a.has_value() && *a > *b;
  });
  const auto same = [](MaybeEpsilon a, MaybeEpsilon b) { return epsilon_text(a) == epsilon_text(b); };
  columns.erase(std::unique(columns.begin(), columns.end(), same), columns.end());
  return columns;
}

class TableBuilder {
 public:
  TableBuilder(const Results& results, const std::string& metric)
      : results_(results), metric_(metric), columns_(columns_of(results, metric)) {}

  Table build() {
    table_.caption = metric_;
    table_.name_headings = {"mechanism", "channel", "learner"};
    for (const MaybeEpsilon epsilon : columns_) table_.cell_headings.push_back(epsilon_text(epsilon));
    for (const std::string& mechanism : mechanisms()) {
      add_ours(mechanism);
      add_published(mechanism);
    }
    for (const Curve& curve : results_.ceilings)
      if (curve.metric == metric_) add_ceiling(curve);
    return std::move(table_);
  }

 private:
  std::vector<std::string> mechanisms() const {
    std::vector<std::string> names;
    const auto add = [&](const auto& rows) {
      for (const auto& row : rows)
        if (row.metric == metric_ && std::find(names.begin(), names.end(), row.mechanism) == names.end())
          names.push_back(row.mechanism);
    };
    add(results_.rows);
    add(results_.published);
    return names;
  }

  std::size_t column_of(MaybeEpsilon epsilon) const {
    const auto same = [&](MaybeEpsilon other) { return epsilon_text(other) == epsilon_text(epsilon); };
    return static_cast<std::size_t>(std::find_if(columns_.begin(), columns_.end(), same) - columns_.begin());
  }

  // The row of these names, made when it is not there yet.
  TableRow& row_of(TableRowKind kind, const std::vector<std::string>& names, const std::string& source = "") {
    for (TableRow& row : table_.rows)
      if (row.kind == kind && row.names == names && row.source == source) return row;
    table_.rows.push_back({kind, names, std::vector<TableCell>(columns_.size()), source});
    return table_.rows.back();
  }

  const PublishedRow* published_beside(const ResultRow& ours) const {
    for (const PublishedRow& row : results_.published)
      if (row.mechanism == ours.mechanism && row.metric == metric_ &&
          epsilon_text(row.epsilon) == epsilon_text(ours.epsilon))
        return &row;
    return nullptr;
  }

  void add_ours(const std::string& mechanism) {
    for (const ResultRow& row : results_.rows) {
      if (row.metric != metric_ || row.mechanism != mechanism) continue;
      TableCell cell = {with_one_decimal(row.mean), "", false};
      if (row.trials > 1) cell.text += " ± " + with_one_decimal(row.sd);
      if (const PublishedRow* published = published_beside(row)) {
        const double difference = rounded(rounded(row.mean) - rounded(published->mean));
        cell.difference = signed_text(difference);
        cell.reaches_published = difference >= 0;
      }
      row_of(TableRowKind::kOurs, {row.mechanism, row.channel, row.learner}).cells[column_of(row.epsilon)] = cell;
    }
  }

  void add_published(const std::string& mechanism) {
    for (const PublishedRow& published : results_.published) {
      if (published.metric != metric_ || published.mechanism != mechanism) continue;
      TableRow& row = row_of(TableRowKind::kPublished, {mechanism + ", published", "", ""}, published.source);
      row.cells[column_of(published.epsilon)].text = with_one_decimal(published.mean);
    }
  }

  void add_ceiling(const Curve& curve) {
    TableRow& row = row_of(TableRowKind::kCeiling, {curve.name, "", ""});
    for (const CurvePoint& point : curve.points)
      if (const std::size_t column = column_of(point.epsilon); column < columns_.size())
        row.cells[column].text = with_one_decimal(point.value);
  }

  const Results& results_;
  const std::string& metric_;
  std::vector<MaybeEpsilon> columns_;
  Table table_;
};

}  // namespace

std::vector<Table> tables_of(const Results& results) {
  std::vector<Table> tables;
  for (const std::string& metric : metrics_of(results)) tables.push_back(TableBuilder(results, metric).build());
  return tables;
}

}  // namespace sotto
