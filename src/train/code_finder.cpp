#include "sotto/train/code_finder.h"

#include <utility>

#include "sotto/train/cluster_head.h"

namespace sotto {

Result<CodeAssignment> CodeFinder::find(const AssignmentOptions& options) {
  if (options.method != CodeMethod::kHead) return assign_codes(features_, width(), options);
  if (const Status status = check_codes(options, auxiliary_.rows); !status) return status.error();
  if (!views_) {
    auto drawn = ViewFeatures::draw(encoder_, auxiliary_, input_, view_options_, options.seed);
    if (!drawn) return drawn.error();
    views_ = std::move(*drawn);
  }
  return assign_by_rule(features_, width(), options.codes,
                        train_cluster_head(*views_, features_, {.codes = options.codes, .seed = options.seed}));
}

}  // namespace sotto
