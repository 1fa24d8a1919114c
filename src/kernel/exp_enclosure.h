// e^(p/q), scaled by a power of two, between two integers. As tight as one likes: docs/proofs/kernel.md.
#pragma once

#include <cstdint>

#include "sotto/kernel/natural.h"

namespace sotto {

struct ExpEnclosure {
  Natural low, high;  // low ≤ 2^bits·e^(p/q) ≤ high
};

// Allowed: 1 ≤ q < 2^44, 0 < p/q ≤ 1024.
ExpEnclosure enclose_exp(std::uint64_t p, std::uint64_t q, unsigned bits);

}  // namespace sotto
