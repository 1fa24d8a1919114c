// The `.sotto` format: a specification as safetensors whose metadata holds one JSON document under "sotto". Version 1,
// 2 if there is a decoder, 3 if codes have distances. The format is written down in docs/file-format.md. Unknown keys
// are refused: a file is understood whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/mechanism/spec.h"

namespace sotto {

// What this program reads at most, and what a file with distances between codes has.
inline constexpr std::uint64_t kNewestFormat = 3;

// Fails only on names that are not UTF-8.
Result<std::vector<std::byte>> write_spec(const MechanismSpec& spec);
Result<MechanismSpec> read_spec(std::span<const std::byte> bytes);

}  // namespace sotto
