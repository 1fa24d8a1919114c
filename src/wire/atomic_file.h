// Replaces a file as a whole or not at all: the bytes go to a temporary file in the same directory, are flushed to the
// disk, and take the name in one rename; then the directory is flushed, so that a success survives a power cut.
//
// A reader sees the old content or the new, never a mixture; after a failure the old file is untouched and the
// temporary one is gone. A file that is replaced keeps its permission bits; a new one gets 0666 less the umask. A path
// that is a symbolic link is itself replaced. Two writers at once are safe, the later rename wins.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "sotto/kernel/result.h"

namespace sotto {

Status write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

// The same for content in pieces, written one after the other: a header and a body need not be copied together.
Status write_file_atomically(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces);

}  // namespace sotto
