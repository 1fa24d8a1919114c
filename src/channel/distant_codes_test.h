// For tests: sets of categories with distances.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "sotto/constraint/domain.h"

namespace sotto {

inline Product codes_with(std::int64_t count, const std::function<std::int64_t(std::int64_t, std::int64_t)>& distance) {
  Product codes = Product::categories(count);
  for (std::int64_t from = 0; from < count; ++from)
    for (std::int64_t to = 0; to < count; ++to)
      codes.distances.push_back(static_cast<std::uint8_t>(from == to ? 0 : distance(from, to)));
  return codes;
}

// Codes in a row: those in the middle have more neighbours, hence a larger total.
inline Product codes_on_a_line(std::int64_t count) {
  return codes_with(count, [](auto from, auto to) { return std::abs(from - to); });
}

// Groups of codes that are 1 apart within a group and `far` across.
inline Product codes_in_groups(std::int64_t count, std::int64_t group, std::int64_t far) {
  return codes_with(count, [=](auto from, auto to) { return from / group == to / group ? 1 : far; });
}

// Neither symmetric nor a metric: d(a, c) may exceed d(a, b) + d(b, c).
inline Product codes_at_odd_distances(std::int64_t count, std::int64_t largest) {
  return codes_with(count, [=](auto from, auto to) { return 1 + (from * 7 + to * 11 + from * to) % largest; });
}

}  // namespace sotto
