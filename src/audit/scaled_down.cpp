#include "sotto/audit/scaled_down.h"

#include <algorithm>

namespace sotto {
namespace {

constexpr std::size_t kCoordinatesKept = 3;

template <typename Lattice>
std::vector<Domain> smaller(const Lattice& lattice) {
  std::vector<Domain> domains;
  for (std::size_t dimension = 1; dimension <= std::min(kCoordinatesKept, lattice.dimension); ++dimension)
    for (const std::int64_t resolution : {1, 2, 3, 5})
      if (resolution <= lattice.resolution) domains.emplace_back(Lattice{dimension, resolution});
  return domains;
}

Product first_of(const Product& codes, std::size_t count) {
  Product first = Product::categories(static_cast<std::int64_t>(count));
  const auto all = static_cast<std::size_t>(codes.coordinates[0].levels);
  for (std::size_t from = 0; from < count; ++from)
    for (std::size_t to = 0; to < count; ++to) first.distances.push_back(codes.distances[from * all + to]);
  return first;
}

std::vector<Domain> with_distances(const Product& codes) {
  std::vector<Domain> domains;
  for (const std::size_t count : {2, 3, 5, 8})
    if (static_cast<std::int64_t>(count) < codes.coordinates[0].levels) domains.emplace_back(first_of(codes, count));
  domains.emplace_back(codes);
  return domains;
}

std::vector<Domain> smaller(const Product& product) {
  if (!product.distances.empty()) return with_distances(product);
  std::vector<Coordinate> kept = product.coordinates;
  const auto other_kind = std::find_if(
      kept.begin(), kept.end(), [&](const Coordinate& coordinate) { return coordinate.ordered != kept[0].ordered; });
  if (other_kind != kept.end()) std::iter_swap(kept.begin() + 1, other_kind);
  kept.resize(std::min(kCoordinatesKept, kept.size()));
  const std::int64_t most_levels =
      std::max_element(kept.begin(), kept.end(), [](auto& a, auto& b) { return a.levels < b.levels; })->levels;
  std::vector<Domain> domains;
  for (const std::int64_t levels : {2, 3, 5, 8}) {
    if (levels > most_levels) break;
    Product small{kept};
    for (Coordinate& coordinate : small.coordinates) coordinate.levels = std::min(coordinate.levels, levels);
    domains.emplace_back(std::move(small));
  }
  return domains;
}

}  // namespace

std::vector<Domain> scaled_down(const Domain& domain) {
  return std::visit([](const auto& set) { return smaller(set); }, domain);
}

}  // namespace sotto
