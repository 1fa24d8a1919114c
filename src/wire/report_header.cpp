#include "sotto/wire/report_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sotto/wire/cbor.h"
#include "sotto/wire/json_check.h"

namespace sotto {
namespace {

// A text member, or nothing.
std::optional<std::string> text_at(const nlohmann::json& report, const char* key) {
  const auto found = report.find(key);
  if (found == report.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

Result<ReleaseParameters> read_parameters(const nlohmann::json& report) {
  const auto epsilon_text = text_at(report, "epsilon");
  if (!epsilon_text) return malformed_report("\"epsilon\" is missing or not a string");
  const auto epsilon = Epsilon::parse(*epsilon_text);
  if (!epsilon) return malformed_report("\"epsilon\" is not a valid epsilon");
  ReleaseParameters parameters{*epsilon, Delta::zero(), std::nullopt};
  if (report.contains("delta")) {
    const auto delta = Delta::parse(text_at(report, "delta").value_or(""));
    if (!delta) return malformed_report("\"delta\" is not a valid delta");
    parameters.delta = *delta;
  }
  if (report.contains("lambda")) {
    const auto lambda = parse_lambda(text_at(report, "lambda").value_or(""));
    if (!lambda) return malformed_report("\"lambda\" is not a valid lambda");
    parameters.lambda = *lambda;
  }
  if (report.contains("joint")) {
    if (text_at(report, "joint") != "label" || parameters.lambda)
      return malformed_report("\"joint\" is not \"label\", or stands beside \"lambda\"");
    parameters.joint = true;
  }
  return parameters;
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  return std::nullopt;
}

Result<Sha256Digest> read_hex_id(const std::optional<std::string>& hex) {
  Sha256Digest id;
  if (!hex || hex->size() != 2 * id.size()) return malformed_report("\"mechanism\" is not 64 hexadecimal digits");
  for (std::size_t i = 0; i < id.size(); ++i) {
    const auto high = hex_digit((*hex)[2 * i]);
    const auto low = hex_digit((*hex)[2 * i + 1]);
    if (!high || !low) return malformed_report("\"mechanism\" is not 64 hexadecimal digits");
    id[i] = static_cast<std::uint8_t>(*high << 4 | *low);
  }
  return id;
}

Result<Sha256Digest> read_binary_id(const std::optional<std::span<const std::uint8_t>>& bytes) {
  Sha256Digest id;
  if (!bytes || bytes->size() != id.size()) return malformed_report("\"mechanism\" is not a string of 32 bytes");
  std::copy(bytes->begin(), bytes->end(), id.begin());
  return id;
}

Result<ReportHeader> header_of(const nlohmann::json& report, const Result<Sha256Digest>& id) {
  if (!id) return id.error();
  const auto parameters = read_parameters(report);
  if (!parameters) return parameters.error();
  return ReportHeader{*id, *parameters};
}

}  // namespace

Error malformed_report(const std::string& what) { return {ErrorCode::kInvalidInput, "report: " + what}; }

Result<Rational> parse_lambda(std::string_view text) {
  const auto value = Rational::parse(text);
  if (!value) return Error{value.error().code, "lambda: " + value.error().message};
  if (value->numerator() == 0 || value->numerator() >= value->denominator())
    return Error{
        ErrorCode::kInvalidArgument,
        "lambda: must lie strictly between 0 and 1 (the features' share of epsilon), got " + value->to_string()};
  return value;
}

Result<ReportHeader> read_ndjson_header(std::string_view line) {
  if (const Status status = check_json(line); !status) return malformed_report(status.error().message);
  const auto report = nlohmann::json::parse(line);
  if (!report.is_object()) return malformed_report("not a JSON object");
  return header_of(report, read_hex_id(text_at(report, "mechanism")));
}

Result<ReportHeader> read_cbor_header(std::span<const std::uint8_t> bytes) {
  CborReader reader(bytes);
  const auto entries = reader.head(CborMajor::kMap);
  if (!entries || reader.text() != "mechanism")
    return malformed_report("not a CBOR map that begins with \"mechanism\"");
  const auto id = read_binary_id(reader.bytes());
  nlohmann::json texts = nlohmann::json::object();
  for (std::uint64_t i = 2; i < *entries; ++i) {
    const auto key = reader.text();
    const auto text = reader.text();
    if (!key || !text || !texts.emplace(*key, *text).second)
      return malformed_report("not a CBOR map of distinct texts");
  }
  if (reader.text() != "report" || !reader.bytes() || !reader.at_end())
    return malformed_report("does not end with \"report\", a byte string");
  return header_of(texts, id);
}

}  // namespace sotto
