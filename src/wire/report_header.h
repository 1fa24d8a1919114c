// What every report says about itself: which mechanism made it, and with which privacy parameters. Public, and the same
// for every record released that way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sotto/privacy/epsilon.h"
#include "sotto/wire/sha256.h"

namespace sotto {

// Chosen when records are released, never stored in a mechanism. A label goes along in one of two ways: with `lambda`,
// the share of ε that the features get while the label gets the rest, or `joint`, as one point that gets all of ε.
struct ReleaseParameters {
  Epsilon epsilon;
  Delta delta = Delta::zero();
  std::optional<Rational> lambda = std::nullopt;
  bool joint = false;
  bool operator==(const ReleaseParameters&) const = default;
};

struct ReportHeader {
  Sha256Digest mechanism_id;
  ReleaseParameters parameters;
  bool operator==(const ReportHeader&) const = default;
};

// 0 < λ < 1.
Result<Rational> parse_lambda(std::string_view text);

// What every reader of reports says of bytes that are none.
Error malformed_report(const std::string& what);

// The header of a report whose mechanism and parameters are not known yet.
Result<ReportHeader> read_ndjson_header(std::string_view line);
Result<ReportHeader> read_cbor_header(std::span<const std::uint8_t> bytes);

}  // namespace sotto
