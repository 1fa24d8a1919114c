#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/learn/row_products.cpp"
#include "sotto/learn/row_products.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <type_traits>

#include "sotto/backprop/first_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

// How vectors are read and written: whole, or the part of one that lies within its row.
struct Whole {
  HWY_INLINE Vector load(const float* place) const { return hn::LoadU(Tag(), place); }
  HWY_INLINE void store(Vector values, float* place) const { hn::StoreU(values, Tag(), place); }
};
struct Part {
  std::size_t count;
  HWY_INLINE Vector load(const float* place) const { return load_first(Tag(), count, place); }
  HWY_INLINE void store(Vector values, float* place) const { store_first(values, Tag(), count, place); }
};

// Calls step(place, how to read there) along a row.
template <class Step>
HWY_INLINE void along(std::size_t points, const Step& step) {
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t m = 0;
  for (; m + lanes <= points; m += lanes) step(m, Whole());
  if (m < points) step(m, Part{points - m});
}

template <std::size_t Rows>
HWY_INLINE void sum_rows(const float* weights, std::size_t points, const float* column, float* sums) {
  Vector totals[Rows];
  for (auto& total : totals) total = hn::Zero(Tag());
  along(points, [&](std::size_t m, const auto& extent) HWY_ATTR {
    const Vector own = extent.load(column + m);
    for (std::size_t row = 0; row < Rows; ++row)
      totals[row] = hn::MulAdd(extent.load(weights + row * points + m), own, totals[row]);
  });
  for (std::size_t row = 0; row < Rows; ++row) sums[row] = hn::GetLane(hn::SumOfLanes(Tag(), totals[row]));
}

template <std::size_t Rows>
HWY_INLINE void add_rows(const float* weights, std::size_t points, const float* factors, float* column) {
  along(points, [&](std::size_t m, const auto& extent) HWY_ATTR {
    Vector sum = extent.load(column + m);
    for (std::size_t row = 0; row < Rows; ++row)
      sum = hn::MulAdd(hn::Set(Tag(), factors[row]), extent.load(weights + row * points + m), sum);
    extent.store(sum, column + m);
  });
}

// Rows share each load of the column: four at a time, then one by one.
template <class Step>
HWY_INLINE void in_groups(std::size_t rows, const Step& step) {
  constexpr std::size_t kTogether = 4;
  std::size_t row = 0;
  for (; row + kTogether <= rows; row += kTogether) step(std::integral_constant<std::size_t, kTogether>(), row);
  for (; row < rows; ++row) step(std::integral_constant<std::size_t, 1>(), row);
}

void sum_block(const float* weights, std::size_t reports, std::size_t points, const float* column, float* sums) {
  in_groups(reports, [&](auto rows, std::size_t row)
                         HWY_ATTR { sum_rows<rows()>(weights + row * points, points, column, sums + row); });
}

void add_block(const float* weights, std::size_t reports, std::size_t points, const float* factors, float* column) {
  in_groups(reports, [&](auto rows, std::size_t row)
                         HWY_ATTR { add_rows<rows()>(weights + row * points, points, factors + row, column); });
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(sum_block);
HWY_EXPORT(add_block);

}  // namespace

void sum_over_points(const WeightBlock& weights, std::span<const float> column, std::span<float> sums) {
  HWY_DYNAMIC_DISPATCH(sum_block)
  (weights.values.data(), weights.reports, weights.points, column.data(), sums.data());
}

void add_over_reports(const WeightBlock& weights, std::span<const float> factors, std::span<float> column) {
  HWY_DYNAMIC_DISPATCH(add_block)
  (weights.values.data(), weights.reports, weights.points, factors.data(), column.data());
}

}  // namespace sotto
#endif
