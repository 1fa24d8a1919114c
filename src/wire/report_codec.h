// Reports as bytes: one line of NDJSON for people, one CBOR item [RFC 8949] for machines. All reports of one codec have
// the same length, whatever they say: JSON numbers are padded with spaces, CBOR carries the integers in a packed field.
//
// Reading accepts any JSON spelling of the same report but only the one CBOR encoding that is written here. Everything
// is checked against the codec (mechanism, parameters, number and range of the integers); errors never quote the
// report.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/channel/channel.h"
#include "sotto/wire/report_header.h"

namespace sotto {

class ReportCodec {
 public:
  // `fields` are the ranges of the report's integers; with a label, the last one is the label's.
  ReportCodec(const ReportHeader& header, std::vector<Range> fields);

  const ReportHeader& header() const { return header_; }
  const std::vector<Range>& fields() const { return fields_; }
  std::size_t ndjson_length() const { return ndjson_length_; }       // the final newline included
  const std::string& cbor_preamble() const { return cbor_prefix_; }  // what all reports begin with in CBOR
  std::size_t cbor_length() const { return cbor_prefix_.size() + packed_length_; }

  // Appends one report. Precondition: `values` fit fields().
  void append_ndjson(Report values, std::string& out) const;
  void append_cbor(Report values, std::string& out) const;

  // Read one report into `values`, which must have fields().size() elements and is untouched on error.
  Status read_ndjson(std::string_view line, std::span<std::int64_t> values) const;
  Status read_cbor(std::span<const std::uint8_t> bytes, std::span<std::int64_t> values) const;

 private:
  bool has_label() const { return header_.parameters.lambda.has_value(); }

  ReportHeader header_;
  std::vector<Range> fields_;
  std::string ndjson_prefix_;
  std::vector<std::size_t> ndjson_widths_;
  std::size_t ndjson_length_ = 0;
  std::string cbor_prefix_;
  std::size_t packed_length_ = 0;
};

}  // namespace sotto
