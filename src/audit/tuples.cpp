#include "sotto/audit/tuples.h"

#include <cstdlib>
#include <numeric>

namespace sotto {
namespace {

constexpr std::size_t kMostTuples = std::size_t{1} << 22;

// The definitions of the domains once more, for points that lie in or next to the box around them.
bool belongs(const L1Ball& ball, Point point) {
  const auto add = [](std::int64_t sum, std::int64_t k) { return sum + std::abs(k); };
  return std::accumulate(point.begin(), point.end(), std::int64_t{0}, add) <= ball.resolution;
}

bool belongs(const L2Ball& ball, Point point) {
  return std::inner_product(point.begin(), point.end(), point.begin(), std::int64_t{0}) <=
         ball.resolution * ball.resolution;
}

bool belongs(const Product& product, Point point) {
  for (std::size_t i = 0; i < point.size(); ++i)
    if (point[i] < 0 || point[i] > product.coordinates[i].levels - 1) return false;
  return true;
}

bool belongs(const DirectionAndLength& sphere, Point point) {  // no exact channel starts from one
  return sphere.contains(point);
}

// The box around the domain and one step more on each side.
std::vector<Range> surroundings(const Product& product) {
  std::vector<Range> box;
  for (const Coordinate& coordinate : product.coordinates) box.push_back({-1, coordinate.levels});
  return box;
}

template <typename Lattice>
std::vector<Range> surroundings(const Lattice& lattice) {
  return {point_length(lattice), {-lattice.resolution - 1, lattice.resolution + 1}};
}

}  // namespace

Result<Tuples> enumerate(const std::vector<Range>& ranges,
                         const std::function<bool(std::span<const std::int64_t>)>& keep) {
  std::size_t count = 1;
  for (const Range& range : ranges)
    if (count *= size_of(range); count > kMostTuples) return too_large();
  Tuples all(ranges.size());
  std::vector<std::int64_t> tuple(ranges.size());
  for (std::size_t index = 0; index < count; ++index) {
    std::size_t rest = index;
    for (std::size_t i = ranges.size(); i-- > 0; rest /= size_of(ranges[i]))
      tuple[i] = ranges[i].low + static_cast<std::int64_t>(rest % size_of(ranges[i]));
    if (keep(tuple)) all.push_back(tuple);
  }
  return all;
}

Result<Tuples> points_of(const Domain& domain) {
  bool agrees = true;
  const auto check = [&](const auto& set) {
    return enumerate(surroundings(set), [&](Point point) {
      const bool inside = belongs(set, point);
      agrees = agrees && inside == set.contains(point);
      return inside;
    });
  };
  auto points = std::visit(check, domain);
  if (points && !agrees) return refuse("exact audit: the domain contains other points than its definition says");
  return points;
}

std::vector<std::int64_t> integers(Range range) {
  std::vector<std::int64_t> all(size_of(range));
  std::iota(all.begin(), all.end(), range.low);
  return all;
}

std::size_t size_of(Range range) { return static_cast<std::size_t>(range.high - range.low + 1); }

Error too_large() {
  return {ErrorCode::kUnsupported,
          "exact audit: too many points and reports to enumerate; audit a smaller channel of the same family"};
}

}  // namespace sotto
