// Discrete Laplace noise on one integer coordinate, the sum clamped to a window: report = clamp(k + X, ±window).
// Clamping comes after the noise, so it is post-processing; it gives the report a fixed range and hides the sampler's
// own limit, which lies further out than any point can reach.
#pragma once

#include <cstdint>

#include "sotto/channel/channel.h"
#include "sotto/kernel/discrete_laplace.h"
#include "sotto/privacy/epsilon.h"

namespace sotto {

class ClampedLaplace {
 public:
  // P(X = x) ∝ exp(−|x|·ε/sensitivity) around points low ≤ k ≤ high.
  static Result<ClampedLaplace> make(const Epsilon& epsilon, std::int64_t sensitivity, Range points);

  Range report_range() const { return window_; }
  std::int64_t sample(std::int64_t k, Entropy& entropy) const;
  double log_pmf(std::int64_t report, std::int64_t k) const;

 private:
  ClampedLaplace(DiscreteLaplace noise, double rate, Range window) : noise_(noise), rate_(rate), window_(window) {}

  DiscreteLaplace noise_;
  double rate_;
  Range window_;
};

}  // namespace sotto
