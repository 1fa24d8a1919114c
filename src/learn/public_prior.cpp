#include "sotto/learn/public_prior.h"

#include <algorithm>
#include <limits>
#include <map>

#include "sotto/cluster/clusters.h"

namespace sotto {
namespace {

// Distinct points, each standing for all records that land on it.
PublicPrior distinct_points(std::span<const std::int64_t> points, std::size_t length) {
  std::map<std::vector<std::int64_t>, std::uint32_t> places;
  PublicPrior prior;
  for (std::size_t begin = 0; begin < points.size(); begin += length) {
    const auto point = points.subspan(begin, length);
    const auto [found, is_new] =
        places.try_emplace({point.begin(), point.end()}, static_cast<std::uint32_t>(places.size()));
    if (is_new) prior.points.insert(prior.points.end(), point.begin(), point.end());
    prior.place_of_record.push_back(found->second);
  }
  prior.size = places.size();
  return prior;
}

float squared_distance(std::span<const float> left, std::span<const float> right) {
  float sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += (left[i] - right[i]) * (left[i] - right[i]);
  return sum;
}

PublicPrior clustered_points(std::span<const std::int64_t> points, std::size_t length, std::span<const float> values,
                             std::size_t width, std::size_t most, std::uint64_t seed) {
  const Clusters clusters = find_clusters(values, width, {.count = most, .iterations = 8, .seed = seed});
  std::vector<std::size_t> medoid(clusters.size(), 0);
  std::vector<float> nearest(clusters.size(), std::numeric_limits<float>::infinity());
  for (std::size_t row = 0; row < clusters.member_of.size(); ++row) {
    const std::uint32_t cluster = clusters.member_of[row];
    const float distance = squared_distance(values.subspan(row * width, width),
                                            std::span(clusters.centroids).subspan(cluster * width, width));
    if (distance >= nearest[cluster]) continue;
    nearest[cluster] = distance;
    medoid[cluster] = row;
  }
  PublicPrior prior{{}, clusters.member_of, clusters.size()};
  for (const std::size_t row : medoid) {
    const auto point = points.subspan(row * length, length);
    prior.points.insert(prior.points.end(), point.begin(), point.end());
  }
  return prior;
}

}  // namespace

std::vector<float> PublicPrior::sum_by_point(std::span<const float> rows, std::size_t width) const {
  std::vector<float> sums(size * width, 0);
  for (std::size_t record = 0; record < place_of_record.size(); ++record)
    for (std::size_t i = 0; i < width; ++i) sums[place_of_record[record] * width + i] += rows[record * width + i];
  return sums;
}

Result<PublicPrior> make_public_prior(const Representation& representation, std::span<const float> records,
                                      std::size_t count, std::size_t most, std::uint64_t seed) {
  if (count == 0) return refuse("auxiliary: a prior needs at least 1 public record, got 0");
  const auto points = representation.points_of(records, count);
  if (!points) return points.error();
  const std::size_t length = points->size() / count;
  PublicPrior prior = distinct_points(*points, length);
  if (prior.size <= most) return prior;
  return clustered_points(*points, length, representation.of_points(*points), representation.width(), most, seed);
}

}  // namespace sotto
