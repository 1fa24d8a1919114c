#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/train/likelihood.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Highway asks for this order.
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "sotto/train/likelihood.h"

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// log p = x·a − log(1 + e^a), written so that no exponential can overflow; the gradient is x − σ(a).
template <class Tag, class Vector>
Vector bernoulli_at(Tag tag, std::size_t i, const float* records, const float* outputs, Vector weight,
                    float* gradient) {
  const auto x = hn::LoadU(tag, records + i), a = hn::LoadU(tag, outputs + i);
  const auto one = hn::Set(tag, 1), zero = hn::Zero(tag);
  const auto small = hn::Exp(tag, hn::Neg(hn::Abs(a)));
  const auto sigmoid = hn::Div(hn::IfThenElse(hn::Ge(a, zero), one, small), hn::Add(one, small));
  hn::StoreU(hn::Mul(weight, hn::Sub(x, sigmoid)), tag, gradient + i);
  return hn::Sub(hn::Sub(hn::Mul(x, a), hn::Max(a, zero)), hn::Log1p(tag, small));
}

double bernoulli(std::size_t size, const float* records, const float* outputs, float weight, float* gradient) {
  const hn::ScalableTag<float> wide;
  const hn::CappedTag<float, 1> single;
  double total = 0;
  std::size_t i = 0;
  constexpr std::size_t kBlock = 4096;  // floats within a block, doubles across
  while (i + hn::Lanes(wide) <= size) {
    auto sum = hn::Zero(wide);
    for (const std::size_t end = std::min(size, i + kBlock); i + hn::Lanes(wide) <= end; i += hn::Lanes(wide))
      sum = hn::Add(sum, bernoulli_at(wide, i, records, outputs, hn::Set(wide, weight), gradient));
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(wide, sum)));
  }
  for (; i < size; ++i)
    total +=
        static_cast<double>(hn::GetLane(bernoulli_at(single, i, records, outputs, hn::Set(single, weight), gradient)));
  return total;
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(bernoulli);

constexpr std::array kNames{std::pair{Likelihood::kBernoulli, "bernoulli"},
                            std::pair{Likelihood::kGaussian, "gaussian"},
                            std::pair{Likelihood::kLogitGaussian, "logit-gaussian"}};

// Pixels of exactly 0 and 1 have no logit: the ends of the interval are drawn in by half a grey level.
float clipped_logit(float x) {
  constexpr float kMargin = 0.5F / 255;
  const float inside = std::clamp(x, kMargin, 1 - kMargin);
  return std::log(inside / (1 - inside));
}

template <class Target>
double gaussian(std::span<const float> records, std::span<const float> outputs, float weight, std::span<float> gradient,
                Target target) {
  double sum = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const float difference = target(records[i]) - outputs[i];
    gradient[i] = weight * difference;
    sum -= 0.5 * static_cast<double>(difference * difference);
  }
  return sum;
}

}  // namespace

std::string_view name_of(Likelihood likelihood) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == likelihood; })
      ->second;
}

Result<Likelihood> likelihood_named(std::string_view name) {
  for (const auto& [likelihood, known] : kNames)
    if (name == known) return likelihood;
  return refuse("likelihood: must be bernoulli, gaussian or logit-gaussian, got '" + std::string(name) + "'");
}

double log_likelihood(Likelihood likelihood, std::span<const float> records, std::span<const float> outputs,
                      float weight, std::span<float> gradient) {
  switch (likelihood) {
    case Likelihood::kBernoulli:
      return HWY_DYNAMIC_DISPATCH(bernoulli)(records.size(), records.data(), outputs.data(), weight, gradient.data());
    case Likelihood::kGaussian:
      return gaussian(records, outputs, weight, gradient, [](float x) { return x; });
    case Likelihood::kLogitGaussian:
      return gaussian(records, outputs, weight, gradient, clipped_logit);
  }
  return 0;
}

}  // namespace sotto
#endif
