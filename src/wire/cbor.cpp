#include "sotto/wire/cbor.h"

namespace sotto {
namespace {

// An argument stands in the head itself, or in the 1, 2, 4 or 8 bytes after it.
constexpr unsigned kFirstWithBytes = 24, kLastWithBytes = 27;

unsigned type_bits(CborMajor major) { return static_cast<unsigned>(major) << 5; }

unsigned shortest(std::uint64_t argument) {
  if (argument < kFirstWithBytes) return static_cast<unsigned>(argument);
  return kFirstWithBytes + (argument > 0xFF ? 1U : 0U) + (argument > 0xFFFF ? 1U : 0U) +
         (argument > 0xFFFFFFFF ? 1U : 0U);
}

}  // namespace

void append_cbor_head(CborMajor major, std::uint64_t argument, std::string& out) {
  const unsigned form = shortest(argument);
  out += static_cast<char>(type_bits(major) | form);
  if (form < kFirstWithBytes) return;
  for (unsigned byte = 1U << (form - kFirstWithBytes); byte-- > 0;) out += static_cast<char>(argument >> (8 * byte));
}

void append_cbor_text(std::string_view text, std::string& out) {
  append_cbor_head(CborMajor::kText, text.size(), out);
  out += text;
}

std::optional<std::uint64_t> CborReader::head(CborMajor major) {
  if (rest_.empty() || (rest_[0] & 0xE0U) != type_bits(major)) return std::nullopt;
  const unsigned form = rest_[0] & 0x1FU;
  if (form > kLastWithBytes) return std::nullopt;
  const std::size_t size = form < kFirstWithBytes ? 0 : std::size_t{1} << (form - kFirstWithBytes);
  if (rest_.size() <= size) return std::nullopt;
  std::uint64_t argument = form < kFirstWithBytes ? form : 0;
  for (const std::uint8_t byte : rest_.subspan(1, size)) argument = argument << 8 | byte;
  if (shortest(argument) != form) return std::nullopt;
  rest_ = rest_.subspan(1 + size);
  return argument;
}

std::optional<std::span<const std::uint8_t>> CborReader::content(CborMajor major) {
  const auto length = head(major);
  if (!length || *length > rest_.size()) return std::nullopt;
  const auto content = rest_.first(*length);
  rest_ = rest_.subspan(*length);
  return content;
}

std::optional<std::span<const std::uint8_t>> CborReader::bytes() { return content(CborMajor::kBytes); }

std::optional<std::string> CborReader::text() {
  const auto characters = content(CborMajor::kText);
  if (!characters) return std::nullopt;
  return std::string(characters->begin(), characters->end());
}

}  // namespace sotto
