#include "sotto/backprop/random.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace sotto {

float draw_uniform(SeededEntropy& entropy) {
  constexpr float kStep = 1.0F / (1 << 23);
  return (static_cast<float>(entropy.take<std::uint64_t>() >> 41) + 0.5F) * kStep;
}

float draw_standard_laplace(SeededEntropy& entropy) {
  const float uniform = 2 * draw_uniform(entropy) - 1;  // of both signs, its size in (0, 1)
  return std::copysign(std::log1p(-std::abs(uniform)), uniform);
}

float draw_standard_normal(SeededEntropy& entropy) {
  const float radius = std::sqrt(-2 * std::log(draw_uniform(entropy)));
  return radius * std::cos(2 * std::numbers::pi_v<float> * draw_uniform(entropy));
}

}  // namespace sotto
