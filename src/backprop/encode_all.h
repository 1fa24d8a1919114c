// An encoder's word on many records at once: what a device would compute of each, on two threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/encoder/network.h"

namespace sotto {

// `records` has `count` rows as wide as the encoder's input.
std::vector<float> encode_all(const Network& encoder, std::span<const float> records, std::size_t count);

}  // namespace sotto
