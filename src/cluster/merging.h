// Draws fine clusters together by what is known of their neighbourhood: how often two views of one record fall into
// each pair of clusters. Merges first what tells least about the other view (agglomerative information bottleneck
// [ST99]), so that clusters go together when views cross their border, however far apart their centres lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sotto {

// `joint` is clusters × clusters, how often the first view fell into one and the second into the other; its order is
// of no account. Gives the group, below `groups`, of each cluster.
std::vector<std::uint32_t> merge_clusters(std::vector<double> joint, std::size_t clusters, std::size_t groups);

}  // namespace sotto
