// KL(Laplace(μ, b) ‖ Laplace(0, 1/√2)), the posterior against the prior of the variational Laplace model [Man21, Eq. 5,
// 6], per coordinate: log(b₀/b) + (b/b₀)·e^(−|μ|/b) + |μ|/b₀ − 1 with b₀ = 1/√2.
#pragma once

#include <span>

namespace sotto {

inline constexpr float kPriorScale = 0.70710678F;

struct LaplaceDivergence {
  double value;           // summed over all of `means`
  double scale_gradient;  // d value / d b
};

// Adds weight · d value / d μ to `gradient`. Without noise (b = 0) the divergence is infinite whatever the means are;
// what is left of it to minimise is |μ|/b₀, and that is the value then.
LaplaceDivergence laplace_divergence(std::span<const float> means, float scale, float weight,
                                     std::span<float> gradient);

}  // namespace sotto
