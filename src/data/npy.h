// NumPy's array files, format 1.0, 2.0 and 3.0: little-endian u1, i4, i8, f4, f8 in C order. The first extent counts
// the records, the others are flattened. Numbers are taken as stored, unless the caller says they are an image's
// pixels.
#pragma once

#include <filesystem>
#include <string>

#include "sotto/data/array_source.h"

namespace sotto {

bool has_npy_magic(std::span<const std::byte> bytes);

Result<std::unique_ptr<ArraySource>> open_npy(ByteStream stream, ValueScale scale);

// Writes format 1.0, the file as a whole or not at all. Floats give the shape (values.size() / width, width) and need a
// width that divides their number; integers (labels) give one extent.
Status write_npy(const std::filesystem::path& path, std::span<const float> values, std::size_t width);
Status write_npy(const std::filesystem::path& path, std::span<const std::int32_t> labels);

// What stands before the elements of such a file. kNpyHeaderBytes whatever the shape, so that a stream whose length is
// not known in advance can be given its header at the end.
inline constexpr std::size_t kNpyHeaderBytes = 128;
std::string npy_records_header(std::uint64_t rows, std::size_t width);
std::string npy_labels_header(std::uint64_t rows);

}  // namespace sotto
