#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/learn/laplace_likelihood.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Highway asks for this order.
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <type_traits>

#include "sotto/backprop/first_lanes.h"
#include "sotto/learn/laplace_likelihood.h"

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

// Distances of `Rows` reports to `points` points, and the least of each row. Reports share each load of a point.
template <std::size_t Rows>
HWY_INLINE void measure(const LaplacePlaces& places, std::size_t points, float* distances, float* nearest) {
  const Tag tag;
  Vector least[Rows];
  for (auto& value : least) value = hn::Set(tag, hwy::HighestValue<float>());
  for (std::size_t m = 0; m < points; m += hn::Lanes(tag)) {
    Vector sums[Rows];
    const Vector offset = hn::LoadU(tag, places.points + m);
    for (std::size_t row = 0; row < Rows; ++row)
      sums[row] = hn::Add(hn::Set(tag, places.reports[row * places.width]), offset);
    for (std::size_t i = 1; i < places.width; ++i) {
      const Vector column = hn::LoadU(tag, places.points + i * places.stride + m);
      for (std::size_t row = 0; row < Rows; ++row)
        sums[row] = hn::Add(sums[row], hn::Max(hn::Set(tag, places.reports[row * places.width + i]), column));
    }
    const bool whole = m + hn::Lanes(tag) <= points;
    const auto inside = hn::FirstN(tag, points - m);
    for (std::size_t row = 0; row < Rows; ++row) {
      least[row] = hn::IfThenElse(inside, hn::Min(least[row], sums[row]), least[row]);
      float* place = distances + row * points + m;
      if (whole)
        hn::StoreU(sums[row], tag, place);
      else
        store_first(sums[row], tag, points - m, place);
    }
  }
  for (std::size_t row = 0; row < Rows; ++row) nearest[row] = hn::GetLane(hn::MinOfLanes(tag, least[row]));
}

// The polynomial of degree 5 nearest to 2^f for f in [-1/2, 1/2], relative to it, among those that are 1 at 0.
constexpr float kPower[] = {1, 0.693147004F, 0.240222424F, 0.0555073358F, 0.00967151299F, 0.00132647273F};

// 2^x for x <= 0, to within 2e-7 of its size; 0 where a float has no room for it.
HWY_INLINE Vector power_of_two(Vector x) {
  const Tag tag;
  const hn::RebindToSigned<Tag> integers;
  const Vector shift = hn::Set(tag, 12582912.0F);  // 1.5 * 2^23: what is added to it loses its fraction
  const Vector bounded = hn::Max(x, hn::Set(tag, -127.0F));
  const Vector shifted = hn::Add(bounded, shift);
  const Vector fraction = hn::Sub(bounded, hn::Sub(shifted, shift));
  Vector power = hn::Set(tag, kPower[5]);
  HWY_UNROLL(5)
  for (int i = 4; i >= 0; --i) power = hn::MulAdd(power, fraction, hn::Set(tag, kPower[i]));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(integers, shifted));
  return hn::BitCast(tag, hn::Add(hn::BitCast(integers, power), exponent));
}

// distances → 2^(halvings · (nearest − distance))
HWY_INLINE void exponentiate(std::size_t points, float halvings, float nearest, float* distances) {
  const Tag tag;
  const Vector rate = hn::Set(tag, halvings), least = hn::Set(tag, nearest);
  const auto weigh = [&](Vector distance) HWY_ATTR { return power_of_two(hn::Mul(rate, hn::Sub(least, distance))); };
  std::size_t m = 0;
  for (; m + hn::Lanes(tag) <= points; m += hn::Lanes(tag))
    hn::StoreU(weigh(hn::LoadU(tag, distances + m)), tag, distances + m);
  const std::size_t left = points - m;
  if (left > 0) store_first(weigh(load_first(tag, left, distances + m)), tag, left, distances + m);
}

// `Rows` reports at a time: their distances are still in the nearest cache when they are exponentiated.
template <std::size_t Rows>
HWY_INLINE void weigh_rows(const LaplacePlaces& places, std::size_t points, float* weights, double* nearest) {
  float least[Rows];
  measure<Rows>(places, points, weights, least);
  for (std::size_t row = 0; row < Rows; ++row) {
    exponentiate(points, places.halvings, least[row], weights + row * points);
    nearest[row] = static_cast<double>(least[row]);
  }
}

void weigh_block(LaplacePlaces places, std::size_t count, std::size_t points, float* weights, double* nearest) {
  constexpr std::size_t kTogether = 4;
  const auto take = [&](auto rows) HWY_ATTR {
    weigh_rows<rows()>(places, points, weights, nearest);
    places.reports += rows() * places.width;
    weights += rows() * points;
    nearest += rows();
    count -= rows();
  };
  while (count >= kTogether) take(std::integral_constant<std::size_t, kTogether>());
  while (count > 0) take(std::integral_constant<std::size_t, 1>());
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
      rate_(epsilon / (2 * static_cast<double>(ball.resolution))),
      width_(ball.dimension + 1),
      stride_((this->points() + kWidestVector - 1) / kWidestVector * kWidestVector),
      log_constants_(this->reports(), 0),
      reports_(this->reports() * width_),
      points_(stride_ * width_ + kWidestVector) {
  const double inside = std::log(std::tanh(rate_ / 2)), beyond = -std::log1p(std::exp(-rate_));
  const auto place = [](std::span<const std::int64_t> point, float* first, std::size_t step) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      first[(i + 1) * step] = static_cast<float>(2 * point[i]);
      sum += point[i];
    }
    *first = static_cast<float>(-sum);
  };
  std::vector<std::int64_t> drawn_in(ball.dimension);
  for (std::size_t n = 0; n < this->reports(); ++n) {
    for (std::size_t i = 0; i < ball.dimension; ++i) {
      const std::int64_t value = reports[n * ball.dimension + i];
      // All points lie on one side of a report beyond the ball: what it is beyond is the same for all, and would cost
      // the distances their digits.
      drawn_in[i] = std::clamp(value, -ball.resolution, ball.resolution);
      log_constants_[n] += window.low < value && value < window.high ? inside : beyond;
      log_constants_[n] -= rate_ * static_cast<double>(std::abs(value - drawn_in[i]));
    }
    place(drawn_in, reports_.data() + n * width_, 1);
  }
  for (std::size_t m = 0; m < this->points(); ++m)
    place(points.subspan(m * ball.dimension, ball.dimension), points_.data() + m, stride_);
}

void LaplaceLikelihood::weigh(Stretch reports, Stretch points, std::span<float> weights,
                              std::span<double> log_scales) const {
  const LaplacePlaces places{width_, stride_, reports_.data() + reports.begin * width_, points_.data() + points.begin,
                             static_cast<float>(rate_ * std::numbers::log2e)};
  HWY_DYNAMIC_DISPATCH(weigh_block)(places, reports.count, points.count, weights.data(), log_scales.data());
  for (std::size_t row = 0; row < reports.count; ++row)
    log_scales[row] = log_constants_[reports.begin + row] - rate_ * log_scales[row];
}

}  // namespace sotto
#endif
