// The little of CBOR [RFC 8949] that reports are made of: byte strings, text strings and one map, of definite length,
// each head in its shortest form. Any other encoding is not read: a report has one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sotto {

enum class CborMajor : std::uint8_t { kBytes = 2, kText = 3, kMap = 5 };

void append_cbor_head(CborMajor major, std::uint64_t argument, std::string& out);
void append_cbor_text(std::string_view text, std::string& out);

// Reads item after item; nothing when the next one is of another kind, not in its shortest form, or cut off.
class CborReader {
 public:
  explicit CborReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  std::optional<std::uint64_t> head(CborMajor major);
  std::optional<std::span<const std::uint8_t>> bytes();
  std::optional<std::string> text();
  bool at_end() const { return rest_.empty(); }

 private:
  std::optional<std::span<const std::uint8_t>> content(CborMajor major);

  std::span<const std::uint8_t> rest_;
};

}  // namespace sotto
