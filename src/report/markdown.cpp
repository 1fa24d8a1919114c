#include "sotto/report/markdown.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sotto/report/table.h"

namespace sotto {
namespace {

// Text as itself: characters that mean something to Markdown or HTML are escaped, line ends become spaces.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      result += ' ';
      continue;
    }
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// A fence longer than any run of backticks inside.
std::string code_block(const std::string& code) {
  std::size_t longest = 2, run = 0;
  for (const char c : code) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fence + "\n" + code + "\n" + fence + "\n";
}

std::string emphasized(const std::string& text, const char* mark) { return text.empty() ? "" : mark + text + mark; }

std::string name_of(const TableRow& row, std::size_t i) {
  const std::string source = i == 0 && !row.source.empty() ? " (" + row.source + ")" : "";
  const std::string name = escaped(row.names[i] + source);
  return row.kind == TableRowKind::kOurs ? name : emphasized(name, "*");
}

std::string cell_of(const TableRow& row, const TableCell& cell) {
  if (cell.text.empty()) return "";
  if (row.kind != TableRowKind::kOurs) return emphasized(cell.text, "*");
  const std::string text = cell.reaches_published ? emphasized(cell.text, "**") : cell.text;
  return cell.difference.empty() ? text : text + " (" + cell.difference + ")";
}

std::string table_text(const Table& table) {
  std::string text = "|", rule = "|";
  for (const std::string& heading : table.name_headings) {
    text += " " + escaped(heading) + " |";
    rule += "---|";
  }
  for (const std::string& heading : table.cell_headings) {
    text += (heading == "none" ? " no privacy |" : " ε = " + heading + " |");
    rule += "--:|";
  }
  text += "\n" + rule + "\n";
  for (const TableRow& row : table.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.names.size(); ++i) text += " " + name_of(row, i) + " |";
    for (const TableCell& cell : row.cells) text += " " + cell_of(row, cell) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string duration_text(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string to_markdown(const Results& results) {
  std::string text = "# " + escaped(results.title) + "\n\n" + code_block(results.command) + "\nCommit " +
                     escaped(results.commit) + ", " + escaped(results.date) + ", " + duration_text(results.seconds) +
                     ".\n";
  for (const Table& table : tables_of(results)) text += "\n## " + escaped(table.caption) + "\n\n" + table_text(table);
  if (!results.published.empty())
    text +=
        "\nPercent, mean ± standard deviation over trials. In brackets the difference from the published number; "
        "**bold** reaches it. *Italics*: published numbers and ceilings.\n";
  if (!results.notes.empty()) text += "\n## Notes\n\n";
  for (const std::string& note : results.notes) text += "- " + escaped(note) + "\n";
  return text;
}

}  // namespace sotto
