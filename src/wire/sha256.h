// SHA-256 [FIPS 180-4]: names mechanism files and checks fetched data. Portable C++, no dependencies, no secrets: it
// makes no effort to run in constant time, so it is not for keys or passwords.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sotto {

using Sha256Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  // The digest of everything given to update(). The object is spent afterwards: start a new one for the next message.
  Sha256Digest finish();

 private:
  void compress(const std::byte* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_ = {};  // the bytes of the block not yet full
  std::uint64_t byte_count_ = 0;
};

Sha256Digest sha256(std::span<const std::byte> bytes);

// Lower-case hexadecimal, two digits a byte.
std::string to_hex(std::span<const std::uint8_t> bytes);

}  // namespace sotto
