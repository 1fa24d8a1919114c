#include "sotto/wire/packed_integers.h"

#include <algorithm>
#include <bit>

namespace sotto {
namespace {

// High − low as an unsigned number: well defined for any two int64.
std::uint64_t span_of(Range range) {
  return static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
}

int bits_of(Range range) { return static_cast<int>(std::bit_width(span_of(range))); }

}  // namespace

std::size_t packed_bytes(std::span<const Range> fields) {
  std::size_t bits = 0;
  for (const Range range : fields) bits += static_cast<std::size_t>(bits_of(range));
  return (bits + 7) / 8;
}

void append_packed(std::span<const Range> fields, Report values, std::string& out) {
  unsigned pending = 0;
  int pending_bits = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::uint64_t offset = static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(fields[i].low);
    for (int bit = bits_of(fields[i]); bit-- > 0;) {
      pending = pending << 1 | static_cast<unsigned>(offset >> bit & 1);
      if (++pending_bits == 8) {
        out += static_cast<char>(pending);
        pending = 0;
        pending_bits = 0;
      }
    }
  }
  if (pending_bits > 0) out += static_cast<char>(pending << (8 - pending_bits));
}

Status read_packed(std::span<const Range> fields, std::span<const std::uint8_t> bytes, std::span<std::int64_t> values) {
  const Error malformed{ErrorCode::kInvalidInput, "report: packed integers are malformed or outside their range"};
  if (bytes.size() != packed_bytes(fields) || values.size() != fields.size()) return malformed;
  std::vector<std::int64_t> decoded(fields.size());
  std::size_t position = 0;
  const auto next_bit = [&] {
    const unsigned bit = static_cast<unsigned>(bytes[position / 8]) >> (7 - position % 8) & 1;
    ++position;
    return bit;
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::uint64_t offset = 0;
    for (int bit = bits_of(fields[i]); bit-- > 0;) offset = offset << 1 | next_bit();
    if (offset > span_of(fields[i])) return malformed;
    decoded[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(fields[i].low) + offset);
  }
  while (position < 8 * bytes.size())
    if (next_bit() != 0) return malformed;
  std::copy(decoded.begin(), decoded.end(), values.begin());
  return {};
}

}  // namespace sotto
