// A report as one HTML file that needs nothing else: no script, no font, no picture from anywhere. Pleasant on paper,
// on a phone, by day and by night. All text is escaped, so that it shows as it was given.
#pragma once

#include "sotto/report/plot.h"
#include "sotto/report/png.h"
#include "sotto/report/table.h"

namespace sotto {

struct PictureRow {
  std::string caption;
  std::vector<Picture> pictures;  // each may have a caption of its own
};

class HtmlReport {
 public:
  explicit HtmlReport(std::string title) : title_(std::move(title)) {}

  void add_heading(const std::string& text);
  void add_text(const std::string& text);  // a paragraph
  void add_code(const std::string& text);  // as it is, line by line
  void add_list(const std::vector<std::string>& items);
  void add_facts(const std::vector<std::pair<std::string, std::string>>& facts);  // names, and what there is to say
  // Texts under their headings; the first of a row names it.
  void add_rows(const std::string& caption, const std::vector<std::string>& headings,
                const std::vector<std::vector<std::string>>& rows);
  void add_plot(const Plot& plot);
  void add_table(const Table& table);
  // Rows of small pictures under one another, columns aligned. An error, and no change, when one cannot be encoded.
  Status add_pictures(const std::string& caption, const std::vector<PictureRow>& rows);

  std::string render() const;

 private:
  std::string title_, body_;
};

// What was run, the plots, the tables and the notes; more can be added.
HtmlReport html_of(const Results& results);

}  // namespace sotto
