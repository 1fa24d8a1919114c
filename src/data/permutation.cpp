#include "sotto/data/permutation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace sotto {

ExperimentRng::ExperimentRng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) {  // splitmix64
    seed += 0x9e3779b97f4a7c15;
    word = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    word ^= word >> 31;
  }
}

std::uint64_t ExperimentRng::next() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = std::rotl(s[3], 45);
  return result;
}

// The high half of (32 random bits) * bound. 2^32 is not a multiple of every bound: the first (2^32 mod bound) products
// of each group of equal high halves are refused, which leaves every result the same number of draws.
std::uint32_t ExperimentRng::below(std::uint32_t bound) {
  const std::uint32_t refused = (0 - bound) % bound;
  std::uint64_t product = 0;
  do {
    product = (next() >> 32) * bound;
  } while (static_cast<std::uint32_t>(product) < refused);
  return static_cast<std::uint32_t>(product >> 32);
}

std::vector<std::uint32_t> permutation(std::uint32_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  ExperimentRng rng(seed);
  for (std::uint32_t left = n; left > 1; --left) std::swap(order[left - 1], order[rng.below(left)]);
  return order;
}

Result<std::vector<std::vector<std::uint32_t>>> split(std::uint32_t n, std::span<const double> fractions,
                                                      std::uint64_t seed) {
  constexpr double kRounding = 1e-9;  // 0.7 + 0.2 + 0.1 is not quite 1
  double sum = 0;
  for (const double fraction : fractions) {
    sum += fraction;
    if (!(fraction > 0) || !(sum <= 1 + kRounding)) {
      return Error{ErrorCode::kInvalidArgument, "fractions: received " + std::to_string(fraction) +
                                                    " making a sum of " + std::to_string(sum) +
                                                    ", allowed are (0, 1] with a sum of at most 1"};
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
