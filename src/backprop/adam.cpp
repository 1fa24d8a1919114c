#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/backprop/adam.cpp"
#include "sotto/backprop/adam.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <string>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Tag>
void update_at(Tag tag, const AdamStep& step, std::size_t i, float* parameters, const float* first, const float* second,
               float* moment1, float* moment2) {
  auto gradient = hn::LoadU(tag, first + i);
  if (second) gradient = hn::Add(gradient, hn::LoadU(tag, second + i));
  const auto m = hn::MulAdd(hn::Set(tag, step.beta1), hn::LoadU(tag, moment1 + i),
                            hn::Mul(hn::Set(tag, 1 - step.beta1), gradient));
  const auto v = hn::MulAdd(hn::Set(tag, step.beta2), hn::LoadU(tag, moment2 + i),
                            hn::Mul(hn::Set(tag, 1 - step.beta2), hn::Mul(gradient, gradient)));
  const auto scale = hn::Add(hn::Sqrt(hn::Mul(v, hn::Set(tag, step.correction2))), hn::Set(tag, step.epsilon));
  const auto parameter = hn::Mul(hn::Set(tag, step.keep), hn::LoadU(tag, parameters + i));
  hn::StoreU(m, tag, moment1 + i);
  hn::StoreU(v, tag, moment2 + i);
  hn::StoreU(hn::NegMulAdd(hn::Set(tag, step.rate), hn::Div(m, scale), parameter), tag, parameters + i);
}

void update_piece(const AdamStep& step, std::size_t size, float* parameters, const float* first, const float* second,
                  float* moment1, float* moment2) {
  const hn::ScalableTag<float> wide;
  const hn::CappedTag<float, 1> single;
  std::size_t i = 0;
  for (; i + hn::Lanes(wide) <= size; i += hn::Lanes(wide))
    update_at(wide, step, i, parameters, first, second, moment1, moment2);
  for (; i < size; ++i) update_at(single, step, i, parameters, first, second, moment1, moment2);
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {

HWY_EXPORT(update_piece);

Adam::Adam(std::size_t parameters, const AdamOptions& options)
    : options_(options), state_{0, std::vector<float>(parameters), std::vector<float>(parameters)} {}

void Adam::begin_step() { ++state_.steps; }

void Adam::update(std::size_t begin, std::span<float> parameters, std::span<const float> first,
                  std::span<const float> second) {
  const auto steps = static_cast<double>(state_.steps);
  const auto correction1 = static_cast<float>(1 / (1 - std::pow(static_cast<double>(options_.beta1), steps)));
  const auto correction2 = static_cast<float>(1 / (1 - std::pow(static_cast<double>(options_.beta2), steps)));
  HWY_DYNAMIC_DISPATCH(update_piece)
  ({options_.learning_rate * correction1, 1 - options_.learning_rate * options_.weight_decay, correction2,
    options_.beta1, options_.beta2, options_.epsilon},
   parameters.size(), parameters.data(), first.data(), second.empty() ? nullptr : second.data(),
   state_.first_moment.data() + begin, state_.second_moment.data() + begin);
}

Status Adam::restore(State state) {
  if (state.first_moment.size() != state_.first_moment.size() ||
      state.second_moment.size() != state_.second_moment.size())
    return Error{ErrorCode::kInvalidInput, "optimiser state: expected " + std::to_string(state_.first_moment.size()) +
                                               " moments, got " + std::to_string(state.first_moment.size()) + " and " +
                                               std::to_string(state.second_moment.size())};
  state_ = std::move(state);
  return {};
}

}  // namespace sotto
#endif
