#include "sotto/plan/stand_in_classes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sotto/cluster/clusters.h"

namespace sotto {
namespace {

struct Group {
  double size;
  std::vector<double> centre;
};

// By how much the spread within groups grows when these two become one.
double cost_of_merging(const Group& left, const Group& right) {
  double square = 0;
  for (std::size_t i = 0; i < left.centre.size(); ++i)
    square += (left.centre[i] - right.centre[i]) * (left.centre[i] - right.centre[i]);
  return square * left.size * right.size / (left.size + right.size);
}

void merge(Group& into, const Group& other) {
  for (std::size_t i = 0; i < into.centre.size(); ++i)
    into.centre[i] = (into.size * into.centre[i] + other.size * other.centre[i]) / (into.size + other.size);
  into.size += other.size;
}

// Which group each cluster ends up in.
std::vector<std::int32_t> draw_together(const Clusters& clusters, std::size_t count) {
  std::vector<Group> groups;
  const auto sizes = clusters.sizes();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const auto centroid = std::span(clusters.centroids).subspan(c * clusters.width, clusters.width);
    groups.push_back({static_cast<double>(sizes[c]), {centroid.begin(), centroid.end()}});
  }
  std::vector<std::int32_t> group_of(clusters.size());
  std::iota(group_of.begin(), group_of.end(), 0);
  while (groups.size() > count) {
    std::size_t left = 0, right = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < groups.size(); ++a)
      for (std::size_t b = a + 1; b < groups.size(); ++b)
        if (const double cost = cost_of_merging(groups[a], groups[b]); cost < least) {
          least = cost;
          left = a;
          right = b;
        }
    merge(groups[left], groups[right]);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(right));
    for (std::int32_t& group : group_of)
      if (group == static_cast<std::int32_t>(right))
        group = static_cast<std::int32_t>(left);
      else if (group > static_cast<std::int32_t>(right))
        --group;
  }
  return group_of;
}

}  // namespace

std::vector<std::int32_t> stand_in_classes(std::span<const float> features, std::size_t width, std::size_t classes,
                                           std::uint64_t seed) {
  constexpr std::size_t kFiner = 8, kFinest = 256;
  const Clusters clusters = find_clusters(features, width,
                                          {.count = std::max(classes, std::min(kFiner * classes, kFinest)),
                                           .restarts = 3,
                                           .spherical = true,
                                           .seed = seed});
  const auto group_of = draw_together(clusters, classes);
  std::vector<std::int32_t> labels;
  for (const std::uint32_t cluster : clusters.member_of) labels.push_back(group_of[cluster]);
  return labels;
}

}  // namespace sotto
