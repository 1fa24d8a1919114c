// NT-Xent [CKNH20], the contrastive loss of [Man21, Eq. 7] with what is missing there (the exponential below the line
// and a temperature): of all other views, a view should be most like the second view of the same record.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sotto {

struct ContrastiveMemory {
  std::vector<float> directions, similarities, direction_gradient, norms;
};

// `views` holds 2·pairs vectors of `width`; views i and pairs + i belong together. Returns the mean loss over views and
// writes its gradient times `weight`.
double contrastive_loss(std::span<const float> views, std::size_t width, float temperature, float weight,
                        ContrastiveMemory& memory, std::span<float> gradient);

}  // namespace sotto
