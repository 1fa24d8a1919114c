// p(report | z_m) for many reports and many public points z_m at once: what the denoising learners know of a channel.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sotto/channel/channel.h"
#include "sotto/kernel/result.h"

namespace sotto {

// Some of the reports, or of the points.
struct Stretch {
  std::size_t begin, count;
};

class ReportLikelihood {
 public:
  virtual ~ReportLikelihood() = default;
  ReportLikelihood(const ReportLikelihood&) = delete;
  ReportLikelihood& operator=(const ReportLikelihood&) = delete;

  std::size_t reports() const { return reports_; }
  std::size_t points() const { return points_; }

  // Some reports against some points: `weights` (reports × points) gets p(report | point) divided by the largest of its
  // row, `log_scales` (reports) the logarithm of what it was divided by. Threads may share this object.
  virtual void weigh(Stretch reports, Stretch points, std::span<float> weights, std::span<double> log_scales) const = 0;

 protected:
  ReportLikelihood(std::size_t reports, std::size_t points) : reports_(reports), points_(points) {}

 private:
  std::size_t reports_, points_;
};

// `reports` and `points` lie one after another, as wide as the channel says. Laplace noise on a lattice has a path of
// its own, some hundred times faster than asking the channel for each pair, and the same to within 1e-5.
std::unique_ptr<ReportLikelihood> make_report_likelihood(const Channel& channel, std::span<const std::int64_t> reports,
                                                         std::span<const std::int64_t> points);

// The plain form for any channel, which must outlive it.
std::unique_ptr<ReportLikelihood> make_plain_likelihood(const Channel& channel, std::span<const std::int64_t> reports,
                                                        std::span<const std::int64_t> points);

}  // namespace sotto
