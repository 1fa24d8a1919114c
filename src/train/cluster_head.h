// Codes that views of the same record share: a linear head on an encoder's features that is trained to say the same of
// two views of a record, and different things of different records (agreement_loss.h). It starts from fine clusters
// that were drawn together where views cross their borders (merging.h), and moves the borders that are left to where
// views do not cross them. Where that leaves a code without records, clusters are what they were before.
#pragma once

#include <cstdint>
#include <span>

#include "sotto/cluster/linear_rule.h"
#include "sotto/train/view_features.h"

namespace sotto {

struct ClusterHeadOptions {
  std::size_t codes = 10;
  std::size_t finer = 6, finest = 128;  // fine clusters for each code, and altogether; never fewer than codes
  std::size_t first_steps = 100;        // that teach the head the clusters drawn together
  std::size_t steps = 600;              // that move their borders
  std::size_t batch = 1024;
  float learning_rate = 2e-2F;
  std::uint64_t seed = 1;
};

// `features` are those of the records themselves. Fewer codes than asked for when they have fewer distinct directions.
LinearRule train_cluster_head(const ViewFeatures& views, std::span<const float> features,
                              const ClusterHeadOptions& options);

}  // namespace sotto
