// Codes that views of the same record share: a linear head on an encoder's features that is trained to say the same of
// two views of a record, and different things of different records (agreement_loss.h). It starts from spherical
// clusters, so that it need not find them, and moves their borders to where views do not cross them.
#pragma once

#include <cstdint>

#include "sotto/cluster/linear_rule.h"
#include "sotto/data/dataset.h"
#include "sotto/train/loss_epochs.h"
#include "sotto/train/views.h"

namespace sotto {

struct ClusterHeadOptions {
  std::size_t codes = 10;
  std::size_t restarts = 10;  // of the spherical clusters
  std::size_t drawings = 3;   // of two views of every record; features of all of them are kept
  std::size_t epochs = 20;    // passes over them
  std::size_t batch = 1024;
  float learning_rate = 3e-3F;
  std::uint64_t seed = 1;
};

// For images, whose views are records themselves.
Result<LinearRule> train_cluster_head(const Network& encoder, const Dataset& auxiliary, const InputSchema& input,
                                      const ViewOptions& views, const ClusterHeadOptions& options);

}  // namespace sotto
