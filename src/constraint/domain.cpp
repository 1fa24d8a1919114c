#include "sotto/constraint/domain.h"

#include <algorithm>
#include <string>

namespace sotto {
namespace {

// Coordinates are compared before they are added up, so no sum below can overflow: 2^20 terms of at most 2^40.
bool within(Point point, std::int64_t resolution) {
  return std::all_of(point.begin(), point.end(), [=](std::int64_t k) { return -resolution <= k && k <= resolution; });
}

std::int64_t sum_of_squares(Point point) {
  std::int64_t sum = 0;
  for (const std::int64_t k : point) sum += k * k;
  return sum;
}

Status validate_lattice(std::size_t dimension, std::int64_t resolution) {
  if (dimension < 1 || dimension > kMaxDimension)
    return refuse("dimension: must lie between 1 and 2^20, got " + std::to_string(dimension));
  if (resolution < 1 || resolution > kMaxResolution)
    return refuse("resolution: must lie between 1 and 2^20, got " + std::to_string(resolution));
  return {};
}

// That no other category is at distance 0 makes different categories differ in what is reported about them.
Status validate_distances(const Product& product) {
  const std::int64_t count = product.coordinates[0].levels;
  if (product.coordinates.size() != 1 || product.coordinates[0].ordered || count > kMaxCategoriesWithDistances ||
      product.distances.size() != static_cast<std::uint64_t>(count * count))
    return refuse("distances: must be n x n for one set of n categories, n at most 1024, got " +
                  std::to_string(product.distances.size()));
  for (std::size_t i = 0; i < product.distances.size(); ++i) {
    const bool to_itself = i % (static_cast<std::size_t>(count) + 1) == 0;
    if (product.distances[i] > kMaxDistance || (product.distances[i] == 0) != to_itself)
      return refuse("distances: must be 0 from a category to itself and between 1 and 32 to another, got " +
                    std::to_string(product.distances[i]));
  }
  return {};
}

Status validate_domain(const Product& product) {
  if (product.coordinates.empty() || product.coordinates.size() > kMaxDimension)
    return refuse("coordinates: must number between 1 and 2^20, got " + std::to_string(product.coordinates.size()));
  for (const Coordinate& coordinate : product.coordinates)
    if (coordinate.levels < 2 || coordinate.levels > kMaxResolution + 1)
      return refuse("levels: must lie between 2 and 2^20 + 1, got " + std::to_string(coordinate.levels));
  return product.distances.empty() ? Status() : validate_distances(product);
}

template <typename Lattice>
Status validate_domain(const Lattice& lattice) {
  return validate_lattice(lattice.dimension, lattice.resolution);
}

}  // namespace

bool L1Ball::contains(Point point) const {
  if (point.size() != dimension || !within(point, resolution)) return false;
  std::int64_t norm = 0;
  for (const std::int64_t k : point) norm += k < 0 ? -k : k;
  return norm <= resolution;
}

bool L2Ball::contains(Point point) const {
  return point.size() == dimension && within(point, resolution) && sum_of_squares(point) <= resolution * resolution;
}

bool Product::contains(Point point) const {
  return std::equal(point.begin(), point.end(), coordinates.begin(), coordinates.end(),
                    [](std::int64_t k, const Coordinate& coordinate) { return 0 <= k && k < coordinate.levels; });
}

bool DirectionAndLength::contains(Point point) const {
  if (point.size() != dimension + 1) return false;
  const Point direction = point.first(dimension);
  return within(direction, resolution) && sum_of_squares(direction) <= resolution * resolution &&
         sum_of_squares(direction) > 0 && 0 <= point.back() && point.back() <= resolution;
}

std::size_t point_length(const Domain& domain) {
  if (const auto* product = std::get_if<Product>(&domain)) return product->coordinates.size();
  if (const auto* sphere = std::get_if<DirectionAndLength>(&domain)) return sphere->dimension + 1;
  if (const auto* ball = std::get_if<L2Ball>(&domain)) return ball->dimension;
  return std::get<L1Ball>(domain).dimension;
}

bool contains(const Domain& domain, Point point) {
  return std::visit([&](const auto& set) { return set.contains(point); }, domain);
}

Status validate(const Domain& domain) {
  return std::visit([](const auto& set) { return validate_domain(set); }, domain);
}

}  // namespace sotto
