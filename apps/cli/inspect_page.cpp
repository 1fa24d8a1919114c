#include "inspect_page.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "sotto/linear/code_decoder.h"
#include "sotto/mechanism/code_usage.h"
#include "sotto/mechanism/feature_decoder.h"
#include "sotto/report/html.h"

namespace sotto::cli {
namespace {

constexpr std::size_t kMostCodes = 1024;                   // on a page
constexpr std::size_t kMostValues = std::size_t{1} << 24;  // decoded, of all codes together
constexpr std::size_t kPicturesARow = 8;

std::string number(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::general, 4).ptr};
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %%", 100 * share);
  return text;
}

// Channels together, as pictures have them; a record has them one after the other.
std::vector<float> interleaved(std::span<const float> record, std::size_t channels) {
  std::vector<float> values;
  const std::size_t pixels = record.size() / channels;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel)
    for (std::size_t channel = 0; channel < channels; ++channel) values.push_back(record[channel * pixels + pixel]);
  return values;
}

class CodesSection {
 public:
  CodesSection(const Mechanism& mechanism, HtmlReport& page)
      : mechanism_(mechanism), spec_(mechanism.spec()), usage_(code_usage(spec_)), page_(page) {
    const std::size_t all = codes_in(spec_);
    first_ = std::min({all, kMostCodes, std::max<std::size_t>(kMostValues / spec_.input.width(), 1)});
    for (std::size_t code = 0; code < first_; ++code)
      if (!spec_.decoder || !usage_ || usage_->sizes[code] >= kMinRecordsOfACode) codes_.push_back(code);
  }

  Status add() {
    page_.add_heading("What the codes stand for");
    if (first_ < codes_in(spec_)) page_.add_text("Of the codes, the first " + std::to_string(first_) + " are shown.");
    if (!spec_.decoder) {
      page_.add_text("This mechanism has no decoder that would show them.");
      if (usage_) add_table({}, "How many auxiliary records each code has");
      return {};
    }
    if (codes_.size() < first_)
      page_.add_text("Codes of fewer than " + std::to_string(kMinRecordsOfACode) +
                     " auxiliary records are left out: their mean would show these records.");
    if (codes_.empty()) return {};
    const auto records = decode();
    if (!records) return records.error();
    if (spec_.input.image) return add_pictures(*records);
    add_table(*records, kCaption + std::string(" For a category it is the one whose number is nearest to the mean."));
    return {};
  }

 private:
  static constexpr const char* kCaption =
      "What the mechanism's decoder makes of each code. The command sotto train codes fits it to the mean of the "
      "auxiliary records that have the code. Percentages: the code's share of these records.";

  // The records of codes_, one after another.
  Result<std::vector<float>> decode() const {
    auto decoder = FeatureDecoder::make(mechanism_);
    if (!decoder) return decoder.error();
    const std::size_t dimension = spec_.encoder.output_width();
    const std::span<const float> centroids = std::get<CodebookSpec>(spec_.constraint).centroids;
    std::vector<float> records(codes_.size() * decoder->width());
    for (std::size_t i = 0; i < codes_.size(); ++i)
      decoder->decode_clean(centroids.subspan(codes_[i] * dimension, dimension), 1,
                            std::span(records).subspan(i * decoder->width(), decoder->width()));
    return records;
  }

  std::string name_of_code(std::size_t code) const { return "code " + std::to_string(code); }

  Status add_pictures(std::span<const float> records) {
    const ImageShape& shape = *spec_.input.image;
    const auto channels = static_cast<std::size_t>(shape.channels);
    const std::size_t width = spec_.input.width();
    std::vector<PictureRow> rows;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      if (i % kPicturesARow == 0) rows.emplace_back();
      const std::string share = usage_ ? ", " + percent(usage_->shares[codes_[i]]) : "";
      auto picture = picture_of(interleaved(records.subspan(i * width, width), channels), shape.width, shape.height,
                                shape.channels, name_of_code(codes_[i]) + share);
      if (!picture) {
        page_.add_text("There are no pictures: " + picture.error().message + ".");
        return {};
      }
      rows.back().pictures.push_back(std::move(*picture));
    }
    return page_.add_pictures(kCaption, rows);
  }

  std::string value_text(std::size_t column, float value) const {
    const Column& schema = spec_.input.columns[column];
    return schema.kind == Column::Kind::kNumeric ? number(value) : schema.categories[static_cast<std::size_t>(value)];
  }

  // Of shares alone when there are no records.
  void add_table(std::span<const float> records, const std::string& caption) {
    std::vector<std::string> headings = {""};
    if (usage_) headings.insert(headings.end(), {"records", "share"});
    const std::size_t columns = records.empty() ? 0 : spec_.input.columns.size();
    for (std::size_t column = 0; column < columns; ++column) headings.push_back(spec_.input.columns[column].name);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      auto& row = rows.emplace_back(1, name_of_code(codes_[i]));
      if (usage_) {
        row.push_back(std::to_string(usage_->sizes[codes_[i]]));
        row.push_back(percent(usage_->shares[codes_[i]]));
      }
      for (std::size_t column = 0; column < columns; ++column)
        row.push_back(value_text(column, records[i * columns + column]));
    }
    page_.add_rows(caption, headings, rows);
  }

  const Mechanism& mechanism_;
  const MechanismSpec& spec_;
  std::optional<CodeUsage> usage_;
  HtmlReport& page_;
  std::size_t first_;               // codes that the page has room for
  std::vector<std::size_t> codes_;  // those of them that are shown
};

}  // namespace

Result<std::string> inspect_page(const std::string& name, const Mechanism& mechanism, const Description& what,
                                 const Description& promise, const std::string& epsilon) {
  HtmlReport page("Mechanism " + name);
  page.add_facts(what);
  page.add_heading("What a release claims");
  if (promise.empty()) {
    page.add_text(
        "Nothing yet: epsilon is chosen when records are released. The option --epsilon shows what it would claim.");
  } else {
    page.add_text("Released with epsilon " + epsilon + ":");
    page.add_facts(promise);
  }
  if (codes_in(mechanism.spec()) > 0)
    if (const Status status = CodesSection(mechanism, page).add(); !status) return status.error();
  return page.render();
}

}  // namespace sotto::cli
