// inexact: the Hybrid mechanism for bounded numbers [Wan19], many at once by attribute_sampling.h.
//
// Tosses a coin that ignores the record, then releases t ∈ [−1, 1] either by the Piecewise mechanism or by Duchi's one-
// dimensional mechanism, which reports one of two points ±(e^ε+1)/(e^ε−1). The report does not say which.
//
// Guarantees ε-LDP for the idealised real-valued draw; not for the floating-point program (docs/proofs/inexact.md).
#pragma once

#include "sotto/channel/attribute_sampling.h"
#include "sotto/channel/piecewise.h"

namespace sotto {

// One number. The coin falls on Piecewise with probability 1 − e^{−ε/2}, or never for ε ≤ ε* = 0.6094: this has the
// least worst-case variance.
class Hybrid final : public AttributeLaw {
 public:
  explicit Hybrid(double epsilon);
  std::int64_t bound() const override;
  std::int64_t draw(double t, Entropy& entropy) const override;
  double pmf(std::int64_t value, double t) const override;

 private:
  double chance_of_upper_point(double t) const;

  double piecewise_share_;
  Piecewise piecewise_;
  std::int64_t magnitude_;  // of the two points, in cells, rounded up: this widens the noise, never the claim
};

Result<std::unique_ptr<Channel>> make_hybrid(Product box, const Epsilon& epsilon);

}  // namespace sotto
