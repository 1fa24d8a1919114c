#include "sotto/report/html.h"

#include <algorithm>

#include "sotto/report/markdown.h"
#include "sotto/report/markup.h"
#include "sotto/report/svg.h"

namespace sotto {
namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--quiet:#63686f;--rule:#dcdfe3;--wash:#f5f6f8}
@media(prefers-color-scheme:dark){:root{--paper:#16181b;--ink:#e6e7e9;--quiet:#9aa0a8;--rule:#34383e;--wash:#1f2226}}
body{margin:0 auto;max-width:56rem;padding:2.5rem 1.25rem 4rem;background:var(--paper);color:var(--ink);
  font:1rem/1.6 system-ui,sans-serif;-webkit-text-size-adjust:100%}
h1{font-size:1.9rem;line-height:1.2;letter-spacing:-.015em;margin:0 0 1.25rem;text-wrap:balance}
h2{font-size:1.25rem;line-height:1.3;margin:2.75rem 0 .75rem}
p,ul{max-width:42rem;overflow-wrap:anywhere}
pre{background:var(--wash);border-radius:6px;padding:.75rem 1rem;overflow-x:auto;font:.85rem/1.5 ui-monospace,monospace}
dl{display:grid;grid-template-columns:minmax(6rem,1fr) 4fr;gap:.35rem 1.25rem;font-size:.9rem;line-height:1.45}
dt,dd{margin:0;overflow-wrap:anywhere}
dt{color:var(--quiet)}
figure{margin:1.5rem 0}
figcaption{color:var(--quiet);font-size:.875rem;line-height:1.45;margin-top:.5rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.875rem;line-height:1.35;font-variant-numeric:tabular-nums}
th,td{padding:.4rem .6rem;text-align:right;white-space:nowrap;vertical-align:top}
th:first-child{text-align:left;padding-left:0;position:sticky;left:0;background:var(--paper);white-space:normal;
  min-width:9.5rem;font-weight:500}
thead th{color:var(--quiet);font-weight:500;border-bottom:1px solid var(--quiet)}
tbody tr{border-top:1px solid var(--rule)}
tbody tr:first-child{border-top:0}
tr.published{border-top:0}
tr.published th,tr.published td,tr.ceiling th,tr.ceiling td{color:var(--quiet);font-style:italic;font-weight:400}
td small,th small{display:block;color:var(--quiet);font-weight:400}
.pictures{display:grid;gap:4px;align-items:start}
.pictures .row{grid-column:1/-1;font-size:.875rem;margin-top:.6rem}
.pictures div{text-align:center;font-size:.75rem;line-height:1.3;color:var(--quiet)}
.pictures .row,.pictures div.row{text-align:left;color:var(--ink)}
.pictures img{display:block;width:100%;height:auto;image-rendering:pixelated;border-radius:2px}
@media print{.plot.wide{display:block}.plot.narrow{display:none}}
)";

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + escape_markup(text) + "</" + tag + ">";
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) word = word << 8 | (i + j < bytes.size() ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += i + j <= bytes.size() ? kDigits[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

Result<std::string> image(const Picture& picture) {
  const auto png = encode_png(picture);
  if (!png) return png.error();
  std::string html = "<div><img alt=\"" + escape_markup(picture.caption) + "\" width=\"" +
                     std::to_string(picture.width) + "\" height=\"" + std::to_string(picture.height) +
                     "\" src=\"data:image/png;base64," + base64(*png) + "\">";
  return html + escape_markup(picture.caption) + "</div>";
}

std::string name_cell(const TableRow& row) {
  std::string details = row.source;
  for (std::size_t i = 1; i < row.names.size(); ++i)
    if (!row.names[i].empty()) details += (details.empty() ? "" : " · ") + row.names[i];
  const std::string name = escape_markup(row.names.empty() ? "" : row.names[0]);
  return "<th scope=\"row\">" + name + (details.empty() ? "" : element("small", details)) + "</th>";
}

std::string value_cell(const TableCell& cell) {
  const std::string value = cell.reaches_published ? element("b", cell.text) : escape_markup(cell.text);
  return "<td>" + value + (cell.difference.empty() ? "" : element("small", cell.difference)) + "</td>";
}

std::string capitalized(std::string text) {
  if (!text.empty() && 'a' <= text[0] && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

void HtmlReport::add_heading(const std::string& text) { body_ += element("h2", text) + "\n"; }

void HtmlReport::add_text(const std::string& text) { body_ += element("p", text) + "\n"; }

void HtmlReport::add_code(const std::string& text) { body_ += "<pre>" + element("code", text) + "</pre>\n"; }

void HtmlReport::add_list(const std::vector<std::string>& items) {
  body_ += "<ul>";
  for (const std::string& item : items) body_ += element("li", item);
  body_ += "</ul>\n";
}

void HtmlReport::add_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  body_ += "<dl>\n";
  for (const auto& [name, value] : facts) body_ += element("dt", name) + element("dd", value) + "\n";
  body_ += "</dl>\n";
}

void HtmlReport::add_rows(const std::string& caption, const std::vector<std::string>& headings,
                          const std::vector<std::vector<std::string>>& rows) {
  body_ += "<figure><div class=\"scroll\"><table><thead><tr>";
  for (const std::string& heading : headings) body_ += "<th scope=\"col\">" + escape_markup(heading) + "</th>";
  body_ += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    body_ += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      body_ += i == 0 ? "<th scope=\"row\">" + escape_markup(row[i]) + "</th>" : element("td", row[i]);
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>" + element("figcaption", caption) + "</figure>\n";
}

void HtmlReport::add_plot(const Plot& plot) {
  body_ += "<figure>" + draw_svg(plot, PlotLayout::kWide) + draw_svg(plot, PlotLayout::kNarrow) +
           element("figcaption", plot.title) + "</figure>\n";
}

void HtmlReport::add_table(const Table& table) {
  constexpr const char* kClasses[] = {"ours", "published", "ceiling"};
  body_ += "<figure><div class=\"scroll\"><table><thead><tr><th></th>";
  for (const std::string& heading : table.cell_headings)
    body_ += element("th", heading == "none" ? "no privacy" : "ε = " + heading);
  body_ += "</tr></thead><tbody>\n";
  for (const TableRow& row : table.rows) {
    body_ += "<tr class=\"" + std::string(kClasses[static_cast<std::size_t>(row.kind)]) + "\">" + name_cell(row);
    for (const TableCell& cell : row.cells) body_ += value_cell(cell);
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>" + element("figcaption", table.caption) + "</figure>\n";
}

Status HtmlReport::add_pictures(const std::string& caption, const std::vector<PictureRow>& rows) {
  std::size_t columns = 1;
  for (const PictureRow& row : rows) columns = std::max(columns, row.pictures.size());
  const std::string width = std::to_string(columns);
  std::string html = "<figure><div class=\"pictures\" style=\"grid-template-columns:repeat(" + width +
                     ",minmax(0,1fr));max-width:" + std::to_string(5 * columns) + "rem\">\n";
  for (const PictureRow& row : rows) {
    html += "<div class=\"row\">" + escape_markup(row.caption) + "</div>\n";
    for (const Picture& picture : row.pictures) {
      const auto picture_html = image(picture);
      if (!picture_html) return picture_html.error();
      html += *picture_html + "\n";
    }
  }
  body_ += html + "</div>" + element("figcaption", caption) + "</figure>\n";
  return {};
}

std::string HtmlReport::render() const {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         element("title", title_) + "\n<style>" + kStyle + svg_style() + "</style>\n</head>\n<body>\n" +
         element("h1", title_) + "\n" + body_ + "</body>\n</html>\n";
}

HtmlReport html_of(const Results& results) {
  HtmlReport report(results.title);
  report.add_code(results.command);
  if (!results.commit.empty())
    report.add_text("Commit " + results.commit + ", " + results.date + ", " + duration_text(results.seconds) + ".");
  std::vector<Plot> plots = plots_of(results);
  std::vector<Table> tables = tables_of(results);  // one for each plot
  for (std::size_t i = 0; i < plots.size(); ++i) {
    report.add_heading(capitalized(plots[i].title));
    plots[i].title =
        capitalized(plots[i].title) + " against the privacy budget; error bars are one standard deviation over trials.";
    tables[i].caption = capitalized(tables[i].caption) + " in percent, mean ± standard deviation over trials.";
    if (!results.published.empty())
      tables[i].caption += " Small: the difference from the published number; bold reaches it.";
    report.add_plot(plots[i]);
    report.add_table(tables[i]);
  }
  if (!results.notes.empty()) {
    report.add_heading("Notes");
    report.add_list(results.notes);
  }
  return report;
}

}  // namespace sotto
