// The likelihood of Laplace noise on an L1 lattice, vectorised: log p = −‖report − point‖₁ · ε/(2G) + constant. A
// report at the end of its window stands for all that lies beyond; as a function of the point it has the same form.
#pragma once

#include <vector>

#include "sotto/constraint/domain.h"
#include "sotto/learn/report_likelihood.h"

namespace sotto {

class LaplaceLikelihood : public ReportLikelihood {
 public:
  LaplaceLikelihood(const L1Ball& ball, double epsilon, Range window, std::span<const std::int64_t> reports,
                    std::span<const std::int64_t> points);

  void weigh(std::size_t begin, std::size_t count, std::span<float> weights,
             std::span<double> log_scales) const override;

 private:
  std::size_t width_, stride_;
  std::vector<double> log_constants_;  // of each report: the likelihood of a point at its place in the ball
  std::vector<float> reports_;         // in units of the noise, report by report, drawn into the ball
  std::vector<float> points_;          // in units of the noise, coordinate by coordinate, each padded to `stride_`
};

}  // namespace sotto
