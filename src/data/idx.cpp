#include "sotto/data/idx.h"

#include <string>
#include <utility>

namespace sotto {
namespace {

constexpr std::size_t kMagicBytes = 4;
constexpr std::byte kUnsignedByte{0x08};
constexpr std::size_t kMaxRank = 4;
constexpr std::uint32_t kMaxExtent = 0x7fffffff;  // the format's extents are signed

std::uint32_t load_big_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (const std::byte byte : bytes.first(4)) value = value << 8 | std::to_integer<std::uint32_t>(byte);
  return value;
}

Result<std::size_t> read_rank(ByteStream& stream) {
  const auto magic = stream.peek(kMagicBytes);
  if (!magic) return magic.error();
  if (!has_idx_magic(*magic)) return stream.invalid("not an IDX file: it must begin with the bytes 0, 0, type, rank");
  if ((*magic)[2] != kUnsignedByte) {
    return Error{ErrorCode::kUnsupported, stream.name() + ": IDX element type " +
                                              std::to_string(std::to_integer<int>((*magic)[2])) +
                                              ", supported is 8 (unsigned byte)"};
  }
  const auto rank = std::to_integer<std::size_t>((*magic)[3]);
  if (rank < 1 || rank > kMaxRank) {
    return stream.invalid("IDX rank: received " + std::to_string(rank) + ", allowed are 1 to 4");
  }
  stream.consume(kMagicBytes);
  return rank;
}

}  // namespace

bool has_idx_magic(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagicBytes && bytes[0] == std::byte{0} && bytes[1] == std::byte{0} &&
         bytes[2] >= std::byte{0x08} && bytes[2] <= std::byte{0x0e};
}

Result<std::unique_ptr<ArraySource>> open_idx(ByteStream stream, ValueScale scale) {
  const Result<std::size_t> rank = read_rank(stream);
  if (!rank) return rank.error();
  std::vector<std::uint64_t> shape;
  for (std::size_t i = 0; i < *rank; ++i) {
    const auto bytes = stream.peek(4);
    if (!bytes) return bytes.error();
    if (bytes->size() < 4) {
      return stream.invalid("ends within its header, at byte " + std::to_string(stream.offset() + bytes->size()));
    }
    shape.push_back(load_big_endian(*bytes));
    if (shape.back() > kMaxExtent) {
      return stream.invalid("IDX extent " + std::to_string(i + 1) + ": received " + std::to_string(shape.back()) +
                            ", allowed are 0 to " + std::to_string(kMaxExtent));
    }
    stream.consume(4);
  }
  return ArraySource::make(std::move(stream), ElementType::kUint8, scale, std::move(shape));
}

}  // namespace sotto
