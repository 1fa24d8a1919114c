// Decoded records as CSV, NPY or NDJSON. What it writes as CSV and NPY, every command reads as records.
#include <charconv>
#include <nlohmann/json.hpp>

#include "output_stream.h"
#include "report_sink.h"
#include "sotto/data/npy.h"
#include "sotto/mechanism/feature_decoder.h"

namespace sotto::cli {
namespace {

// One line a record: `opening`, each value after its `before`, `closing`, then the label and `ending`. Texts are quoted
// beforehand, so that a record costs no more than its digits.
struct LineLayout {
  std::string file_start;
  std::string opening;
  std::vector<std::string> before;                   // one a column; an image's pixels have a comma between them
  std::vector<std::vector<std::string>> categories;  // one list a column, empty for a number
  std::string closing;
  std::vector<std::string> classes;  // empty without a label; what stands before it included
  std::string ending = "\n";
};

using Quote = std::string (*)(const std::string&);

std::string quoted_for_csv(const std::string& text) {
  if (!text.empty() && text.find_first_of(" \t,\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string quoted_for_json(const std::string& text) { return nlohmann::json(text).dump(); }

LineLayout layout_of_texts(const MechanismSpec& spec, bool labelled, Quote quote, const std::string& before_label) {
  LineLayout layout;
  for (const Column& column : spec.input.columns) {
    auto& categories = layout.categories.emplace_back();
    for (const std::string& category : column.categories) categories.push_back(quote(category));
  }
  if (labelled)
    for (const std::string& name : spec.label->classes) layout.classes.push_back(before_label + quote(name));
  return layout;
}

LineLayout csv_layout(const MechanismSpec& spec, bool labelled) {
  LineLayout layout = layout_of_texts(spec, labelled, quoted_for_csv, ",");
  for (const Column& column : spec.input.columns) {
    layout.before.push_back(layout.before.empty() ? "" : ",");
    layout.file_start += layout.before.back() + quoted_for_csv(column.name);
  }
  if (spec.input.image) return layout;  // which has no names for its pixels, hence no header
  if (labelled) layout.file_start += "," + quoted_for_csv(spec.label->name);
  layout.file_start += "\n";
  return layout;
}

LineLayout ndjson_layout(const MechanismSpec& spec, const ReportHeader& header) {
  const ReleaseParameters& parameters = header.parameters;
  LineLayout layout = layout_of_texts(spec, parameters.lambda.has_value(), quoted_for_json, ",\"label\":");
  layout.opening =
      "{\"mechanism\":\"" + to_hex(header.mechanism_id) + "\",\"epsilon\":\"" + parameters.epsilon.to_string() + "\"";
  if (!parameters.delta.is_zero()) layout.opening += ",\"delta\":\"" + parameters.delta.to_string() + "\"";
  if (parameters.lambda) layout.opening += ",\"lambda\":\"" + parameters.lambda->to_string() + "\"";
  layout.opening += spec.input.image ? ",\"record\":[" : ",\"record\":{";
  for (const Column& column : spec.input.columns)
    layout.before.push_back((layout.before.empty() ? "" : ",") + quoted_for_json(column.name) + ":");
  layout.closing = spec.input.image ? "]" : "}";
  layout.ending = "}\n";
  return layout;
}

class DecodedLines final : public ReportSink {
 public:
  DecodedLines(const std::string& output, FeatureDecoder decoder, LineLayout layout)
      : output_(output), decoder_(std::move(decoder)), layout_(std::move(layout)), text_(layout_.file_start) {}

  void write(const ReportBatch& batch) override {
    records_.resize(batch.size() * decoder_.width());
    decoder_.decode(batch, records_).or_throw();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      text_ += layout_.opening;
      append_values(std::span(records_).subspan(i * decoder_.width(), decoder_.width()));
      text_ += layout_.closing;
      if (const auto label = batch.label(i)) text_ += layout_.classes[static_cast<std::size_t>(*label)];
      text_ += layout_.ending;
    }
    flush();
  }

  void commit() override {
    flush();  // of no records at all
    output_.commit();
  }

 private:
  void flush() {
    output_.write(text_);
    text_.clear();
  }

  void append_values(std::span<const float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!layout_.before.empty())
        text_ += layout_.before[i];
      else if (i > 0)
        text_ += ',';
      if (!layout_.categories.empty() && !layout_.categories[i].empty())
        text_ += layout_.categories[i][static_cast<std::size_t>(values[i])];
      else
        append_number(values[i]);
    }
  }

  void append_number(float value) {
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
  }

  OutputStream output_;
  FeatureDecoder decoder_;
  LineLayout layout_;
  std::vector<float> records_;
  std::string text_;
};

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// The number of records is known, and the header written, at the end.
class DecodedArrays final : public ReportSink {
 public:
  DecodedArrays(const FeatureOutput& target, FeatureDecoder decoder)
      : output_(target.output), decoder_(std::move(decoder)) {
    output_.write(npy_records_header(0, decoder_.width()));
    if (target.labels_output.empty()) return;
    labels_output_ = std::make_unique<OutputStream>(target.labels_output);
    labels_output_->write(npy_labels_header(0));
  }

  void write(const ReportBatch& batch) override {
    records_.resize(batch.size() * decoder_.width());
    decoder_.decode(batch, records_).or_throw();
    output_.write(bytes_of(records_));
    rows_ += batch.size();
    if (!labels_output_) return;
    labels_.clear();
    for (std::size_t i = 0; i < batch.size(); ++i) labels_.push_back(static_cast<std::int32_t>(*batch.label(i)));
    labels_output_->write(bytes_of(labels_));
  }

  void commit() override {
    output_.overwrite_start(npy_records_header(rows_, decoder_.width()));
    if (labels_output_) {
      labels_output_->overwrite_start(npy_labels_header(rows_));
      labels_output_->commit();
    }
    output_.commit();
  }

 private:
  OutputStream output_;
  std::unique_ptr<OutputStream> labels_output_;
  FeatureDecoder decoder_;
  std::uint64_t rows_ = 0;
  std::vector<float> records_;
  std::vector<std::int32_t> labels_;
};

}  // namespace

std::unique_ptr<ReportSink> make_feature_sink(const FeatureOutput& target, const Mechanism& mechanism,
                                              const Release& release) {
  const bool labelled = release.label_channel() != nullptr;
  FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
  decoder.accepts(release).or_throw();
  if (target.format == "npy") return std::make_unique<DecodedArrays>(target, std::move(decoder));
  return std::make_unique<DecodedLines>(target.output, std::move(decoder),
                                        target.format == "csv"
                                            ? csv_layout(mechanism.spec(), labelled)
                                            : ndjson_layout(mechanism.spec(), release.codec().header()));
}

}  // namespace sotto::cli
