// inexact: the Piecewise mechanism for bounded numbers [Wan19, Alg. 2], many at once by attribute_sampling.h.
//
// t ∈ [−1, 1] becomes a real in [−C, C], C = (e^{ε/2}+1)/(e^{ε/2}−1): its density is e^ε times as high on the piece
// [ℓ(t), ℓ(t)+C−1], ℓ(t) = ((C+1)t − (C−1))/2, as elsewhere. Released rounded to a multiple of 2^−20.
//
// Guarantees ε-LDP for the idealised real-valued draw; not for the floating-point program (docs/proofs/inexact.md).
#pragma once

#include "sotto/channel/attribute_sampling.h"

namespace sotto {

// One number. Variance t²/(e^{ε/2}−1) + (e^{ε/2}+3)/(3(e^{ε/2}−1)²), in squared units.
class Piecewise final : public AttributeLaw {
 public:
  explicit Piecewise(double epsilon);
  std::int64_t bound() const override;
  std::int64_t draw(double t, Entropy& entropy) const override;
  double pmf(std::int64_t value, double t) const override;  // integrates the density over the cell: right at edges too

 private:
  double piece_begin(double t) const;

  double near_mass_, far_mass_;  // of the piece, and of the rest
  double reach_, piece_width_;   // C and C−1, in cells
};

Result<std::unique_ptr<Channel>> make_piecewise(Product box, const Epsilon& epsilon);

}  // namespace sotto
