// Integers of known ranges as a string of bits, most significant first, each with just the bits that its range needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sotto/channel/channel.h"

namespace sotto {

std::size_t packed_bytes(std::span<const Range> fields);
void append_packed(std::span<const Range> fields, Report values, std::string& out);

// Fails on a value outside its range and on padding that is not zero, so that each report has one encoding.
Status read_packed(std::span<const Range> fields, std::span<const std::uint8_t> bytes, std::span<std::int64_t> values);

}  // namespace sotto
