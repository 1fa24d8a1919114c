// The safetensors container: an 8-byte little-endian header length, a JSON header that names tensors and carries text
// metadata, then the tensors' bytes. Only 32-bit floats here. Reading trusts nothing: sizes, offsets, shapes and
// overlaps are checked before a byte is used.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

struct Safetensors {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
};

inline constexpr std::size_t kMaxSafetensorsBytes = std::size_t{1} << 31;

// The same content always gives the same bytes.
std::vector<std::byte> write_safetensors(const Safetensors& content);
Result<Safetensors> read_safetensors(std::span<const std::byte> bytes);

}  // namespace sotto
