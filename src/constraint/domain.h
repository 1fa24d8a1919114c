// The finite sets of integer points that constraints map into and channels start from. A channel's claim is about all
// pairs of points of its domain, so `contains` is checked again by the channel at every draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

using Point = std::span<const std::int64_t>;

inline constexpr std::int64_t kMaxResolution = std::int64_t{1} << 20;
inline constexpr std::size_t kMaxDimension = std::size_t{1} << 20;
inline constexpr std::int64_t kMaxDistance = 32;
inline constexpr std::int64_t kMaxCategoriesWithDistances = 1024;

// { k : Σ|k_i| ≤ resolution }. Two points are at most 2·resolution apart in L1: the sensitivity is the diameter.
struct L1Ball {
  std::size_t dimension;
  std::int64_t resolution;
  bool contains(Point point) const;
};

// { k : Σ k_i² ≤ resolution² }. Two points are at most 2·resolution apart in L2.
struct L2Ball {
  std::size_t dimension;
  std::int64_t resolution;
  bool contains(Point point) const;
};

// { k : 0 ≤ k_i < levels_i }: a box when the coordinates are ordered, categories when they are not. One set of n
// categories may come with distances, n × n: how far off a report r is when the truth is c stands at c·n + r. They say
// what is worth telling apart, and are public; only the exponential channel reads them.
struct Coordinate {
  std::int64_t levels;
  bool ordered;
};
struct Product {
  std::vector<Coordinate> coordinates;
  std::vector<std::uint8_t> distances = {};
  bool contains(Point point) const;
  static Product categories(std::int64_t count) { return {{{count, false}}}; }
};

// A direction k ≠ 0 with Σ k_i² ≤ resolution², followed by a length 0 … resolution.
struct DirectionAndLength {
  std::size_t dimension;
  std::int64_t resolution;
  bool contains(Point point) const;
};

using Domain = std::variant<L1Ball, L2Ball, Product, DirectionAndLength>;

std::size_t point_length(const Domain& domain);
bool contains(const Domain& domain, Point point);
Status validate(const Domain& domain);

}  // namespace sotto
