// The reports that the two report fuzzers expect: with and without a label.
#pragma once

#include "require.h"
#include "sotto/wire/report_codec.h"

namespace sotto::fuzz {

inline ReportCodec codec_of(bool with_label) {
  Sha256Digest id;
  id.fill(0xab);
  ReportHeader header{id, {Epsilon::parse("1.4").value_or_throw(), Delta::zero(), std::nullopt}};
  std::vector<Range> fields = {{-1000, 1000}, {0, 1}};
  if (with_label) {
    header.parameters.delta = Delta::parse("1e-5").value_or_throw();
    header.parameters.lambda = parse_lambda("1/3").value_or_throw();
    fields.push_back({0, 9});
  }
  return {header, fields};
}

// Whether the report was read; the integers are in their ranges if so, and untouched if not.
inline bool settled(const Status& status, const ReportCodec& codec, const std::vector<std::int64_t>& values) {
  if (!status) require(!status.error().message.empty() && status.error().code == ErrorCode::kInvalidInput);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Range range = codec.fields()[i];
    require(status ? range.low <= values[i] && values[i] <= range.high : values[i] == -7777);
  }
  return static_cast<bool>(status);
}

}  // namespace sotto::fuzz
