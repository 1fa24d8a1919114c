#include "sotto/data/permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/kernel/uniform.h"

namespace sotto {

std::vector<std::uint32_t> permutation(std::uint32_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  SeededEntropy entropy(seed);
  for (std::uint32_t left = n; left > 1; --left) std::swap(order[left - 1], order[uniform_below(left, entropy)]);
  return order;
}

Result<std::vector<std::vector<std::uint32_t>>> split(std::uint32_t n, std::span<const double> fractions,
                                                      std::uint64_t seed) {
  constexpr double kRounding = 1e-9;  // 0.7 + 0.2 + 0.1 is not quite 1
  double sum = 0;
  for (const double fraction : fractions) {
    sum += fraction;
    if (!(fraction > 0) || !(sum <= 1 + kRounding)) {
      return refuse("fractions: received " + std::to_string(fraction) + " making a sum of " + std::to_string(sum) +
                    ", allowed are (0, 1] with a sum of at most 1");
    }
  }
  const std::vector<std::uint32_t> order = permutation(n, seed);
  std::vector<std::vector<std::uint32_t>> parts;
  auto begin = order.begin();
  sum = 0;
  for (const double fraction : fractions) {
    sum += fraction;
    const auto end = order.begin() + std::min<std::int64_t>(n, std::llround(sum * n));
    parts.emplace_back(begin, end);
    begin = end;
  }
  return parts;
}

}  // namespace sotto
