// The likelihood of Laplace noise on an L1 lattice, vectorised: log p = −‖report − point‖₁ · ε/(2G) + constant. A
// report at the end of its window stands for all that lies beyond; as a function of the point it has the same form.
#pragma once

#include <vector>

#include "sotto/constraint/domain.h"
#include "sotto/learn/aligned_floats.h"
#include "sotto/learn/report_likelihood.h"

namespace sotto {

// As |r − p| = max(2r, 2p) − r − p, a report or a point is its coordinates, doubled, after their negative sum: `width`
// numbers, those of a report side by side, those of a point `stride` apart. They are steps of the lattice: floats hold
// sums of them exactly up to 2^24.
struct LaplacePlaces {
  std::size_t width, stride;
  const float *reports, *points;
  float halvings;  // of the likelihood, per step
};

class LaplaceLikelihood : public ReportLikelihood {
 public:
  LaplaceLikelihood(const L1Ball& ball, double epsilon, Range window, std::span<const std::int64_t> reports,
                    std::span<const std::int64_t> points);

  void weigh(Stretch reports, Stretch points, std::span<float> weights, std::span<double> log_scales) const override;

 private:
  double rate_;  // of the noise, per step of the lattice
  std::size_t width_, stride_;
  std::vector<double> log_constants_;  // of each report: the likelihood of a point at its place in the ball
  std::vector<float> reports_;         // drawn into the ball
  AlignedFloats points_;               // with room to read a whole vector from the last
};

}  // namespace sotto
