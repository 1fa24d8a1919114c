#include "sotto/wire/report_codec.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "sotto/wire/cbor.h"
#include "sotto/wire/json_check.h"
#include "sotto/wire/packed_integers.h"

namespace sotto {
namespace {

// The parameters as pairs of texts, in the order in which they are written.
std::vector<std::pair<std::string, std::string>> texts_of(const ReleaseParameters& parameters) {
  std::vector<std::pair<std::string, std::string>> texts = {{"epsilon", parameters.epsilon.to_string()}};
  if (!parameters.delta.is_zero()) texts.emplace_back("delta", parameters.delta.to_string());
  if (parameters.lambda) texts.emplace_back("lambda", parameters.lambda->to_string());
  if (parameters.joint) texts.emplace_back("joint", "label");
  return texts;
}

std::string cbor_prefix(const ReportHeader& header, std::size_t packed_length) {
  const auto texts = texts_of(header.parameters);
  std::string prefix;
  append_cbor_head(CborMajor::kMap, texts.size() + 2, prefix);
  append_cbor_text("mechanism", prefix);
  append_cbor_head(CborMajor::kBytes, header.mechanism_id.size(), prefix);
  prefix.append(header.mechanism_id.begin(), header.mechanism_id.end());
  for (const auto& [key, text] : texts) {
    append_cbor_text(key, prefix);
    append_cbor_text(text, prefix);
  }
  append_cbor_text("report", prefix);
  append_cbor_head(CborMajor::kBytes, packed_length, prefix);
  return prefix;
}

std::string ndjson_prefix(const ReportHeader& header) {
  std::string prefix = R"({"mechanism":")" + to_hex(header.mechanism_id) + '"';
  for (const auto& [key, text] : texts_of(header.parameters)) prefix += ",\"" + key + "\":\"" + text + '"';
  return prefix + R"(,"report":[)";
}

constexpr std::string_view kLabelKey = R"(],"label":)";

void append_padded(std::int64_t value, std::size_t width, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  const auto length = static_cast<std::size_t>(end - digits);
  out.append(width - std::min(width, length), ' ');
  out.append(digits, length);
}

bool is_int64(const nlohmann::json& item) {
  return item.is_number_integer() &&
         (!item.is_number_unsigned() || item.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
}

// The integers of a parsed report, the label last.
Result<std::vector<std::int64_t>> values_of(const nlohmann::json& report, bool has_label) {
  const auto list = report.find("report");
  if (list == report.end() || !list->is_array()) return malformed_report("\"report\" is missing or not a list");
  const auto label = report.find("label");
  if ((label != report.end()) != has_label)
    return malformed_report("\"label\" is there without \"lambda\", or missing");
  if (!std::all_of(list->begin(), list->end(), is_int64) || (has_label && !is_int64(*label)))
    return malformed_report("\"report\" and \"label\" must hold 64-bit integers");
  auto values = list->get<std::vector<std::int64_t>>();
  if (has_label) values.push_back(label->get<std::int64_t>());
  return values;
}

}  // namespace

ReportCodec::ReportCodec(const ReportHeader& header, std::vector<Range> fields)
    : header_(header),
      fields_(std::move(fields)),
      ndjson_prefix_(ndjson_prefix(header)),
      packed_length_(packed_bytes(fields_)) {
  cbor_prefix_ = cbor_prefix(header_, packed_length_);
  for (const Range range : fields_)
    ndjson_widths_.push_back(std::max(std::to_string(range.low).size(), std::to_string(range.high).size()));
  std::string sample;
  std::vector<std::int64_t> lowest;
  for (const Range range : fields_) lowest.push_back(range.low);
  append_ndjson(lowest, sample);
  ndjson_length_ = sample.size();
}

void ReportCodec::append_ndjson(Report values, std::string& out) const {
  out += ndjson_prefix_;
  const std::size_t features = fields_.size() - (has_label() ? 1 : 0);
  for (std::size_t i = 0; i < features; ++i) {
    if (i > 0) out += ',';
    append_padded(values[i], ndjson_widths_[i], out);
  }
  if (has_label()) {
    out += kLabelKey;
    append_padded(values[features], ndjson_widths_[features], out);
    out += "}\n";
  } else {
    out += "]}\n";
  }
}

void ReportCodec::append_cbor(Report values, std::string& out) const {
  out += cbor_prefix_;
  append_packed(fields_, values, out);
}

Status ReportCodec::read_ndjson(std::string_view line, std::span<std::int64_t> values) const {
  if (const Status status = check_json(line); !status) return malformed_report(status.error().message);
  const auto report = nlohmann::json::parse(line);
  if (!report.is_object()) return malformed_report("not a JSON object");
  if (!line.starts_with(ndjson_prefix_)) {  // not as we write it: another spelling, or another header
    const auto header = read_ndjson_header(line);
    if (!header) return header.error();
    if (!(*header == header_)) return malformed_report("made by another mechanism or with other parameters");
  }
  const auto read = values_of(report, has_label());
  if (!read) return read.error();
  if (!std::equal(read->begin(), read->end(), fields_.begin(), fields_.end(),
                  [](std::int64_t value, Range range) { return range.low <= value && value <= range.high; }))
    return malformed_report("expected " + std::to_string(fields_.size()) + " integers within their ranges");
  if (values.size() != read->size()) return malformed_report("no room for its integers");
  std::copy(read->begin(), read->end(), values.begin());
  return {};
}

Status ReportCodec::read_cbor(std::span<const std::uint8_t> bytes, std::span<std::int64_t> values) const {
  if (bytes.size() != cbor_length() ||
      !std::equal(cbor_prefix_.begin(), cbor_prefix_.end(), bytes.begin(),
                  [](char ours, std::uint8_t theirs) { return static_cast<std::uint8_t>(ours) == theirs; }))
    return malformed_report("made by another mechanism or with other parameters, or not in its one CBOR encoding");
  return read_packed(fields_, bytes.subspan(cbor_prefix_.size()), values);
}

}  // namespace sotto
