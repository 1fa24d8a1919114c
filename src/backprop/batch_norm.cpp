#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/backprop/batch_norm.cpp"
#include "sotto/backprop/batch_norm.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls step(tag, first row, last row, first channel), some rows at a time so that they are still in the cache for the
// next channels.
template <class Step>
HWY_INLINE void in_runs(std::size_t rows, std::size_t channels, const Step& step) {
  constexpr std::size_t kRun = 64;
  const hn::ScalableTag<float> wide;
  const hn::CappedTag<float, 1> single;
  for (std::size_t begin = 0; begin < rows; begin += kRun) {
    const std::size_t end = std::min(rows, begin + kRun);
    std::size_t i = 0;
    for (; i + hn::Lanes(wide) <= channels; i += hn::Lanes(wide)) step(wide, begin, end, i);
    for (; i < channels; ++i) step(single, begin, end, i);
  }
}

// Sums are floats within a run, where they are fast, and doubles across runs, where they are needed.
template <class Tag>
HWY_INLINE void add_to(double* totals, Tag tag, hn::Vec<Tag> sums) {
  HWY_ALIGN float lanes[hn::MaxLanes(Tag())];
  hn::Store(sums, tag, lanes);
  for (std::size_t lane = 0; lane < hn::Lanes(tag); ++lane) totals[lane] += static_cast<double>(lanes[lane]);
}

// Of the values less a pivot near their mean, so that squares do not swamp the variance.
void add_moments(std::size_t rows, std::size_t channels, const float* values, const float* pivot, double* sums,
                 double* squares) {
  in_runs(rows, channels, [&](auto tag, std::size_t begin, std::size_t end, std::size_t i) HWY_ATTR {
    const auto middle = hn::LoadU(tag, pivot + i);
    auto sum = hn::Zero(tag), square = hn::Zero(tag);
    for (std::size_t row = begin; row < end; ++row) {
      const auto difference = hn::Sub(hn::LoadU(tag, values + row * channels + i), middle);
      sum = hn::Add(sum, difference);
      square = hn::MulAdd(difference, difference, square);
    }
    add_to(sums + i, tag, sum);
    add_to(squares + i, tag, square);
  });
}

// What a batch's values become, vector by vector.
template <class Tag>
struct Normaliser {
  Tag tag;
  hn::Vec<Tag> mean, factor, shift, least;

  HWY_INLINE Normaliser(Tag of, std::size_t i, const float* means, const float* factors, const float* shifts,
                        float floor)
      : tag(of),
        mean(hn::LoadU(of, means + i)),
        factor(hn::LoadU(of, factors + i)),
        shift(hn::LoadU(of, shifts + i)),
        least(hn::Set(of, floor)) {}
  HWY_INLINE hn::Vec<Tag> from_mean(const float* value) const { return hn::Sub(hn::LoadU(tag, value), mean); }
  HWY_INLINE hn::Vec<Tag> result(hn::Vec<Tag> difference) const { return hn::MulAdd(difference, factor, shift); }
  // The gradient of what was not raised to the least.
  HWY_INLINE hn::Vec<Tag> slope(const float* gradient, hn::Vec<Tag> difference) const {
    return hn::IfThenElseZero(hn::Gt(result(difference), least), hn::LoadU(tag, gradient));
  }
};

void normalise(std::size_t rows, std::size_t channels, const float* values, const float* mean, const float* factor,
               const float* shift, float least, float* results) {
  in_runs(rows, channels, [&](auto tag, std::size_t begin, std::size_t end, std::size_t i) HWY_ATTR {
    const Normaliser<decltype(tag)> normaliser(tag, i, mean, factor, shift, least);
    for (std::size_t place = begin * channels + i; place < end * channels; place += channels)
      hn::StoreU(hn::Max(normaliser.result(normaliser.from_mean(values + place)), normaliser.least), tag,
                 results + place);
  });
}

void add_slopes(std::size_t rows, std::size_t channels, const float* values, const float* mean, const float* factor,
                const float* shift, float least, const float* gradient, double* sums, double* products) {
  in_runs(rows, channels, [&](auto tag, std::size_t begin, std::size_t end, std::size_t i) HWY_ATTR {
    const Normaliser<decltype(tag)> normaliser(tag, i, mean, factor, shift, least);
    auto sum = hn::Zero(tag), product = hn::Zero(tag);
    for (std::size_t place = begin * channels + i; place < end * channels; place += channels) {
      const auto difference = normaliser.from_mean(values + place);
      const auto slope = normaliser.slope(gradient + place, difference);
      sum = hn::Add(sum, slope);
      product = hn::MulAdd(slope, difference, product);
    }
    add_to(sums + i, tag, sum);
    add_to(products + i, tag, product);
  });
}

// gradient = factor · slope − lost − gained · (value − mean).
void chain_normalisation(std::size_t rows, std::size_t channels, const float* values, const float* mean,
                         const float* factor, const float* shift, float least, const float* lost, const float* gained,
                         float* gradient) {
  in_runs(rows, channels, [&](auto tag, std::size_t begin, std::size_t end, std::size_t i) HWY_ATTR {
    const Normaliser<decltype(tag)> normaliser(tag, i, mean, factor, shift, least);
    const auto less = hn::LoadU(tag, lost + i), tilt = hn::LoadU(tag, gained + i);
    for (std::size_t place = begin * channels + i; place < end * channels; place += channels) {
      const auto difference = normaliser.from_mean(values + place);
      const auto slope = normaliser.slope(gradient + place, difference);
      hn::StoreU(hn::MulSub(slope, normaliser.factor, hn::MulAdd(tilt, difference, less)), tag, gradient + place);
    }
  });
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(add_moments);
HWY_EXPORT(normalise);
HWY_EXPORT(add_slopes);
HWY_EXPORT(chain_normalisation);

void move_towards(std::span<const float> latest, std::vector<float>& average) {
  constexpr float kStep = 0.1F;
  if (average.empty()) average.assign(latest.begin(), latest.end());
  for (std::size_t i = 0; i < average.size(); ++i) average[i] += kStep * (latest[i] - average[i]);
}

std::vector<float> factors(const Normalisation& normalisation, const BatchStatistics& statistics) {
  std::vector<float> factor(normalisation.scale.begin(), normalisation.scale.end());
  for (std::size_t i = 0; i < factor.size(); ++i) factor[i] /= statistics.batch_deviation[i];
  return factor;
}

}  // namespace

void batch_normalise(const Normalisation& normalisation, BatchStatistics& statistics, std::span<float> results) {
  const std::size_t channels = normalisation.scale.size(), rows = results.size() / channels;
  const float* values = statistics.values.data();
  const float* pivot = statistics.mean.empty() ? values : statistics.mean.data();
  std::vector<double> sums(channels), squares(channels);
  HWY_DYNAMIC_DISPATCH(add_moments)(rows, channels, values, pivot, sums.data(), squares.data());
  std::vector<float> mean(channels), variance(channels);
  statistics.batch_deviation.resize(channels);
  for (std::size_t i = 0; i < channels; ++i) {
    const double from_pivot = sums[i] / static_cast<double>(rows);
    mean[i] = static_cast<float>(static_cast<double>(pivot[i]) + from_pivot);
    variance[i] = static_cast<float>(std::max(squares[i] / static_cast<double>(rows) - from_pivot * from_pivot, 0.0));
    statistics.batch_deviation[i] = std::sqrt(variance[i] + kLeastVariance);
  }
  move_towards(mean, statistics.mean);
  move_towards(variance, statistics.variance);
  statistics.batch_mean = std::move(mean);
  const auto factor = factors(normalisation, statistics);
  HWY_DYNAMIC_DISPATCH(normalise)
  (rows, channels, values, statistics.batch_mean.data(), factor.data(), normalisation.shift.data(), normalisation.least,
   results.data());
}

void batch_normalise_backward(const Normalisation& normalisation, const BatchStatistics& statistics,
                              std::span<float> gradient, std::span<float> scale_gradient,
                              std::span<float> shift_gradient) {
  const std::size_t channels = normalisation.scale.size(), rows = gradient.size() / channels;
  const float* values = statistics.values.data();
  const float* mean = statistics.batch_mean.data();
  const auto factor = factors(normalisation, statistics);
  std::vector<double> sums(channels), products(channels);
  HWY_DYNAMIC_DISPATCH(add_slopes)
  (rows, channels, values, mean, factor.data(), normalisation.shift.data(), normalisation.least, gradient.data(),
   sums.data(), products.data());
  std::vector<float> lost(channels), gained(channels);
  for (std::size_t i = 0; i < channels; ++i) {
    const double deviation = static_cast<double>(statistics.batch_deviation[i]);
    const double factor_a_row = static_cast<double>(factor[i]) / static_cast<double>(rows);
    shift_gradient[i] = static_cast<float>(sums[i]);
    scale_gradient[i] = static_cast<float>(products[i] / deviation);
    lost[i] = static_cast<float>(sums[i] * factor_a_row);
    gained[i] = static_cast<float>(products[i] / (deviation * deviation) * factor_a_row);
  }
  HWY_DYNAMIC_DISPATCH(chain_normalisation)
  (rows, channels, values, mean, factor.data(), normalisation.shift.data(), normalisation.least, lost.data(),
   gained.data(), gradient.data());
}

}  // namespace sotto
#endif
