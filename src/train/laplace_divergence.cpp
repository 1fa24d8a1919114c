#include "sotto/train/laplace_divergence.h"

#include <cmath>

namespace sotto {

LaplaceDivergence laplace_divergence(std::span<const float> means, float scale, float weight,
                                     std::span<float> gradient) {
  LaplaceDivergence sum{0, 0};
  for (std::size_t i = 0; i < means.size(); ++i) {
    const float distance = std::abs(means[i]);
    const float overlap = scale > 0 ? std::exp(-distance / scale) : 0;
    sum.value += static_cast<double>(distance / kPriorScale);
    if (scale > 0) {
      sum.value += static_cast<double>(std::log(kPriorScale / scale) + scale / kPriorScale * overlap - 1);
      sum.scale_gradient += static_cast<double>(-1 / scale + (1 + distance / scale) * overlap / kPriorScale);
    }
    gradient[i] += weight * std::copysign((1 - overlap) / kPriorScale, means[i]);
  }
  return sum;
}

}  // namespace sotto
