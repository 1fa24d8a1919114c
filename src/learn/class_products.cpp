#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/learn/class_products.cpp"
#include "sotto/learn/class_products.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

// Sums of a tile stay in registers: kTall × kWide of them, beside kWide + 1 operands.
constexpr std::size_t kTall = 5;
constexpr std::size_t kWide = HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64 ? 4 : 2;
template <std::size_t Count>
using Constant = std::integral_constant<std::size_t, Count>;

// Loops over a tile are unrolled, or its sums would live in memory.
template <std::size_t Tall, std::size_t Wide>
struct Tile {
  Vector sums[Tall][Wide];

  HWY_INLINE Tile() {
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < Tall; ++i) {
      HWY_UNROLL(8)
      for (std::size_t j = 0; j < Wide; ++j) sums[i][j] = hn::Zero(Tag());
    }
  }

  template <class Left, class Right>
  HWY_INLINE void add(const Left& left, const Right& right) {
    Vector rights[Wide];
    HWY_UNROLL(8)
    for (std::size_t j = 0; j < Wide; ++j) rights[j] = right(j);
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < Tall; ++i) {
      const Vector own = left(i);
      HWY_UNROLL(8)
      for (std::size_t j = 0; j < Wide; ++j) sums[i][j] = hn::MulAdd(own, rights[j], sums[i][j]);
    }
  }
};

// How vectors are read and written: whole, or the part of one that lies within its row.
struct Whole {
  Vector load(const float* place) const { return hn::LoadU(Tag(), place); }
  void store(Vector values, float* place) const { hn::StoreU(values, Tag(), place); }
};
struct Part {
  hn::Mask<Tag> inside;
  Vector load(const float* place) const { return hn::MaskedLoad(inside, Tag(), place); }
  void store(Vector values, float* place) const { hn::BlendedStore(values, inside, Tag(), place); }
};

// Calls step(how many as a constant, the first) for groups of `Together`, then one by one.
template <std::size_t Together, class Step>
HWY_INLINE void in_groups(std::size_t count, const Step& step) {
  std::size_t i = 0;
  for (; i + Together <= count; i += Together) step(Constant<Together>(), i);
  for (; i < count; ++i) step(Constant<1>(), i);
}

// Points lie along the vectors: one tile is some classes × some reports.
template <std::size_t Classes, std::size_t Reports>
HWY_INLINE void sum_tile(const float* weights, const float* joint, std::size_t points, float* sums,
                         std::size_t classes) {
  const Tag tag;
  Tile<Classes, Reports> tile;
  std::size_t m = 0;
  const auto step = [&](const auto& extent) HWY_ATTR {
    tile.add([&](std::size_t y) HWY_ATTR { return extent.load(joint + y * points + m); },
             [&](std::size_t n) HWY_ATTR { return extent.load(weights + n * points + m); });
  };
  for (; m + hn::Lanes(tag) <= points; m += hn::Lanes(tag)) step(Whole());
  if (m < points) step(Part{hn::FirstN(tag, points - m)});
  for (std::size_t n = 0; n < Reports; ++n)
    for (std::size_t y = 0; y < Classes; ++y) sums[n * classes + y] = hn::GetLane(hn::SumOfLanes(tag, tile.sums[y][n]));
}

void sum_block(const float* weights, const float* joint, std::size_t reports, std::size_t points, std::size_t classes,
               float* sums) {
  in_groups<kWide>(reports, [&](auto wide, std::size_t n) {
    in_groups<kTall>(classes, [&](auto tall, std::size_t y) {
      sum_tile<tall(), wide()>(weights + n * points, joint + y * points, points, sums + n * classes + y, classes);
    });
  });
}

// Points lie along the vectors again: one tile is some classes × some vectors of points.
template <std::size_t Classes, std::size_t Vectors, class Extent>
HWY_INLINE void add_tile(const float* weights, const float* factors, std::size_t reports, std::size_t points,
                         std::size_t classes, float* gradient, const Extent& extent) {
  const Tag tag;
  Tile<Classes, Vectors> tile;
  for (std::size_t n = 0; n < reports; ++n) {
    tile.add([&](std::size_t y) HWY_ATTR { return hn::Set(tag, factors[n * classes + y]); },
             [&](std::size_t v) HWY_ATTR { return extent.load(weights + n * points + v * hn::Lanes(tag)); });
  }
  for (std::size_t y = 0; y < Classes; ++y)
    for (std::size_t v = 0; v < Vectors; ++v) {
      float* place = gradient + y * points + v * hn::Lanes(tag);
      extent.store(hn::Add(extent.load(place), tile.sums[y][v]), place);
    }
}

void add_block(const float* weights, const float* factors, std::size_t reports, std::size_t points, std::size_t classes,
               float* gradient) {
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t m = 0;
  const auto take = [&](auto vectors, const auto& extent) {
    in_groups<kTall>(classes, [&](auto tall, std::size_t y) {
      add_tile<tall(), vectors()>(weights + m, factors + y, reports, points, classes, gradient + y * points + m,
                                  extent);
    });
    m += vectors() * lanes;
  };
  while (m + kWide * lanes <= points) take(Constant<kWide>(), Whole());
  while (m + lanes <= points) take(Constant<1>(), Whole());
  if (m < points) take(Constant<1>(), Part{hn::FirstN(Tag(), points - m)});
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(sum_block);
HWY_EXPORT(add_block);

}  // namespace

void sum_over_points(const WeightBlock& weights, std::span<const float> joint, std::span<float> sums) {
  HWY_DYNAMIC_DISPATCH(sum_block)
  (weights.values.data(), joint.data(), weights.reports, weights.points, joint.size() / weights.points, sums.data());
}

void add_over_reports(const WeightBlock& weights, std::span<const float> factors, std::span<float> gradient) {
  HWY_DYNAMIC_DISPATCH(add_block)
  (weights.values.data(), factors.data(), weights.reports, weights.points, gradient.size() / weights.points,
   gradient.data());
}

}  // namespace sotto
#endif
