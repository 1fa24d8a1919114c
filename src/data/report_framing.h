// Where a CBOR report ends, in a stream in which one follows another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sotto {

inline constexpr std::uint64_t kMaxReportBytes = std::uint64_t{1} << 26;  // what a hostile stream can make us hold

// How long the report is that begins here, told from its head alone; the bytes may end before it does, or go on.
// Nothing when this is no head of a report, is cut off, or announces more than kMaxReportBytes of content.
std::optional<std::uint64_t> cbor_report_length(std::span<const std::uint8_t> bytes);

}  // namespace sotto
