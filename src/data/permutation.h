// Reproducible shuffles and splits for experiments: one seed gives one result, on every platform and for ever.
//
// The draws come from SeededEntropy, which is predictable by design and no source of privacy noise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

// 0 .. n-1 in an order drawn uniformly (Fisher and Yates, from the last place down).
std::vector<std::uint32_t> permutation(std::uint32_t n, std::uint64_t seed);

// Disjoint parts of 0 .. n-1, consecutive pieces of permutation(n, seed). Part i ends at place round(n * (f_0 + .. +
// f_i)); fractions that add up to 1 use every index. Each fraction must be in (0, 1] and their sum at most 1.
Result<std::vector<std::vector<std::uint32_t>>> split(std::uint32_t n, std::span<const double> fractions,
                                                      std::uint64_t seed);

}  // namespace sotto
