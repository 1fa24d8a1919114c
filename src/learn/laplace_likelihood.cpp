#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/learn/laplace_likelihood.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Highway asks for this order.
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sotto/learn/laplace_likelihood.h"

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Distances of `Rows` reports to all points. Several reports share each load of a point.
template <std::size_t Rows>
void measure(std::size_t width, std::size_t points, std::size_t stride, const float* reports, const float* columns,
             float* distances) {
  const hn::ScalableTag<float> tag;
  for (std::size_t m = 0; m < points; m += hn::Lanes(tag)) {
    decltype(hn::Zero(tag)) sums[Rows];
    for (auto& sum : sums) sum = hn::Zero(tag);
    for (std::size_t i = 0; i < width; ++i) {
      const auto column = hn::LoadU(tag, columns + i * stride + m);
      for (std::size_t row = 0; row < Rows; ++row)
        sums[row] = hn::Add(sums[row], hn::AbsDiff(hn::Set(tag, reports[row * width + i]), column));
    }
    const std::size_t inside = points - m;
    for (std::size_t row = 0; row < Rows; ++row) {
      float* place = distances + row * points + m;
      if (inside >= hn::Lanes(tag))
        hn::StoreU(sums[row], tag, place);
      else
        hn::BlendedStore(sums[row], hn::FirstN(tag, inside), tag, place);
    }
  }
}

// distances → exp(nearest − distance); returns the nearest.
float exponentiate(std::size_t points, float* distances) {
  const hn::ScalableTag<float> tag;
  const std::size_t lanes = hn::Lanes(tag), whole = points / lanes * lanes;
  auto least = hn::Set(tag, distances[0]);
  for (std::size_t m = 0; m < whole; m += lanes) least = hn::Min(least, hn::LoadU(tag, distances + m));
  float nearest = hn::GetLane(hn::MinOfLanes(tag, least));
  for (std::size_t m = whole; m < points; ++m) nearest = distances[m] < nearest ? distances[m] : nearest;
  const auto shift = hn::Set(tag, nearest);
  for (std::size_t m = 0; m < whole; m += lanes)
    hn::StoreU(hn::Exp(tag, hn::Sub(shift, hn::LoadU(tag, distances + m))), tag, distances + m);
  for (std::size_t m = whole; m < points; ++m) distances[m] = std::exp(nearest - distances[m]);
  return nearest;
}

void weigh_block(std::size_t count, std::size_t width, std::size_t points, std::size_t stride, const float* reports,
                 const float* columns, float* weights, double* nearest) {
  // Each group is exponentiated while its distances are still in a near cache.
  constexpr std::size_t kTogether = 4;
  const auto finish = [&](std::size_t row) {
    nearest[row] = static_cast<double>(exponentiate(points, weights + row * points));
  };
  std::size_t row = 0;
  for (; row + kTogether <= count; row += kTogether) {
    measure<kTogether>(width, points, stride, reports + row * width, columns, weights + row * points);
    for (std::size_t i = 0; i < kTogether; ++i) finish(row + i);
  }
  for (; row < count; ++row) {
    measure<1>(width, points, stride, reports + row * width, columns, weights + row * points);
    finish(row);
  }
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(weigh_block);

constexpr std::size_t kWidestVector = 64;  // floats; no target of Highway on x86 or Arm has more

}  // namespace

LaplaceLikelihood::LaplaceLikelihood(const L1Ball& ball, double epsilon, Range window,
                                     std::span<const std::int64_t> reports, std::span<const std::int64_t> points)
    : ReportLikelihood(reports.size() / ball.dimension, points.size() / ball.dimension),
      width_(ball.dimension),
      stride_((this->points() + kWidestVector - 1) / kWidestVector * kWidestVector),
      reports_(reports.size()),
      points_(stride_ * ball.dimension) {
  const double rate = epsilon / (2 * static_cast<double>(ball.resolution));
  const double inside = std::log(std::tanh(rate / 2)), beyond = -std::log1p(std::exp(-rate));
  log_constants_.assign(this->reports(), 0);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    // All points lie on one side of a report beyond the ball: what it is beyond is the same for all, and would cost the
    // distances their digits.
    const std::int64_t nearest = std::clamp(reports[i], -ball.resolution, ball.resolution);
    reports_[i] = static_cast<float>(rate * static_cast<double>(nearest));
    log_constants_[i / width_] += window.low < reports[i] && reports[i] < window.high ? inside : beyond;
    log_constants_[i / width_] -= rate * static_cast<double>(std::abs(reports[i] - nearest));
  }
  for (std::size_t m = 0; m < this->points(); ++m)
    for (std::size_t i = 0; i < width_; ++i)
      points_[i * stride_ + m] = static_cast<float>(rate * static_cast<double>(points[m * width_ + i]));
}

void LaplaceLikelihood::weigh(std::size_t begin, std::size_t count, std::span<float> weights,
                              std::span<double> log_scales) const {
  HWY_DYNAMIC_DISPATCH(weigh_block)
  (count, width_, points(), stride_, reports_.data() + begin * width_, points_.data(), weights.data(),
   log_scales.data());
  for (std::size_t row = 0; row < count; ++row) log_scales[row] = log_constants_[begin + row] - log_scales[row];
}

}  // namespace sotto
#endif
