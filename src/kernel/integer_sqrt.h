// ⌊√n⌋ in integers.
#pragma once

#include <cstdint>

namespace sotto {

constexpr std::uint64_t floor_sqrt(std::uint64_t n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit > 0; bit /= 2)
    if ((root + bit) * (root + bit) <= n) root += bit;
  return root;
}

}  // namespace sotto
