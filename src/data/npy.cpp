#include "sotto/data/npy.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sotto/data/npy_header.h"
#include "sotto/wire/atomic_file.h"

namespace sotto {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kPrefixBytes = 8;  // magic and version
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 16;
static_assert(kMaxHeaderBytes <= ByteStream::kBufferBytes);

Error truncated(const ByteStream& stream, std::size_t seen) {
  return stream.invalid("ends within its NPY header, at byte " + std::to_string(stream.offset() + seen));
}

std::size_t load_little_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::to_integer<std::size_t>(bytes[i]) << (8 * i);
  return value;
}

// Moves over the magic and the version and returns the size of the length field that follows.
Result<std::size_t> read_version(ByteStream& stream) {
  const auto prefix = stream.peek(kPrefixBytes);
  if (!prefix) return prefix.error();
  if (!has_npy_magic(*prefix)) return stream.invalid("not an NPY file: its first six bytes are not \\x93NUMPY");
  if (prefix->size() < kPrefixBytes) return truncated(stream, prefix->size());
  const int major = std::to_integer<int>((*prefix)[6]);
  const int minor = std::to_integer<int>((*prefix)[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return Error{ErrorCode::kUnsupported, stream.name() + ": NPY format " + std::to_string(major) + "." +
                                              std::to_string(minor) + ", supported are 1.0, 2.0 and 3.0"};
  }
  stream.consume(kPrefixBytes);
  return std::size_t{major == 1 ? 2U : 4U};
}

Result<std::size_t> read_header_bytes(ByteStream& stream, std::size_t field_bytes) {
  const auto field = stream.peek(field_bytes);
  if (!field) return field.error();
  if (field->size() < field_bytes) return truncated(stream, field->size());
  const std::size_t header_bytes = load_little_endian(field->first(field_bytes));
  if (header_bytes > kMaxHeaderBytes) {
    return stream.invalid("NPY header length: received " + std::to_string(header_bytes) +
                          " bytes, allowed are at most " + std::to_string(kMaxHeaderBytes));
  }
  stream.consume(field_bytes);
  return header_bytes;
}

// The dictionary has 55 bytes besides its extents, two numbers of 20 digits at most.
std::string header_of(const std::string& descr, const std::string& shape) {
  std::string header(kMagic);
  constexpr std::size_t kDictionaryBytes = kNpyHeaderBytes - kPrefixBytes - 2;
  header += {'\x01', '\x00', static_cast<char>(kDictionaryBytes), '\x00'};
  header += "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(kNpyHeaderBytes - 1, ' ');
  return header + '\n';
}

template <typename T>
Status write_array(const std::filesystem::path& path, const std::string& header, std::span<const T> elements) {
  const std::array<std::span<const std::byte>, 2> pieces = {std::as_bytes(std::span(header)), std::as_bytes(elements)};
  return write_file_atomically(path, pieces);
}

}  // namespace

bool has_npy_magic(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), bytes.begin(),
                    [](char expected, std::byte byte) { return std::byte(expected) == byte; });
}

Result<std::unique_ptr<ArraySource>> open_npy(ByteStream stream, ValueScale scale) {
  const Result<std::size_t> field_bytes = read_version(stream);
  if (!field_bytes) return field_bytes.error();
  const Result<std::size_t> header_bytes = read_header_bytes(stream, *field_bytes);
  if (!header_bytes) return header_bytes.error();
  const auto text = stream.peek(*header_bytes);
  if (!text) return text.error();
  if (text->size() < *header_bytes) return truncated(stream, text->size());
  Result<NpyHeader> header =
      parse_npy_header({reinterpret_cast<const char*>(text->data()), *header_bytes});  // the bytes are the text
  if (!header) return Error{header.error().code, stream.name() + ": " + header.error().message};
  stream.consume(*header_bytes);
  return ArraySource::make(std::move(stream), header->element, scale, std::move(header->shape));
}

Status write_npy(const std::filesystem::path& path, std::span<const float> values, std::size_t width) {
  if (width == 0 || values.size() % width != 0) {
    return refuse("width: received " + std::to_string(width) + ", allowed are divisors of " +
                  std::to_string(values.size()) + ", the number of values");
  }
  return write_array(path, npy_records_header(values.size() / width, width), values);
}

Status write_npy(const std::filesystem::path& path, std::span<const std::int32_t> labels) {
  return write_array(path, npy_labels_header(labels.size()), labels);
}

std::string npy_records_header(std::uint64_t rows, std::size_t width) {
  return header_of("<f4", std::to_string(rows) + ", " + std::to_string(width));
}

std::string npy_labels_header(std::uint64_t rows) { return header_of("<i4", std::to_string(rows) + ","); }

}  // namespace sotto
