#include "sotto/backprop/adam.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto {
namespace {

constexpr std::size_t kParameters = 37;  // not a multiple of any vector's width

float gradient_at(std::size_t step, std::size_t i) {
  return std::sin(static_cast<float>(step * 13 + i)) * (i % 3 == 0 ? 1e-3F : 1);
}

// [KB15, Alg. 1] as it is printed, in double, with the weight decay of [LH19, Alg. 2].
std::vector<double> reference(std::size_t steps, const AdamOptions& options) {
  std::vector<double> parameters(kParameters, 1), m(kParameters), v(kParameters);
  for (std::size_t t = 1; t <= steps; ++t)
    for (std::size_t i = 0; i < kParameters; ++i) {
      const double g = gradient_at(t, i), b1 = options.beta1, b2 = options.beta2;
      m[i] = b1 * m[i] + (1 - b1) * g;
      v[i] = b2 * v[i] + (1 - b2) * g * g;
      const double time = static_cast<double>(t);
      parameters[i] *= 1 - static_cast<double>(options.learning_rate) * options.weight_decay;
      parameters[i] -= options.learning_rate * (m[i] / (1 - std::pow(b1, time))) /
                       (std::sqrt(v[i] / (1 - std::pow(b2, time))) + options.epsilon);
    }
  return parameters;
}

void expect_follows_the_reference(const AdamOptions& options) {
  Adam adam(kParameters, options);
  std::vector<float> parameters(kParameters, 1), first(kParameters), second(kParameters);
  constexpr std::size_t kSteps = 50, kCut = 20;
  for (std::size_t t = 1; t <= kSteps; ++t) {
    for (std::size_t i = 0; i < kParameters; ++i) {
      first[i] = 0.25F * gradient_at(t, i);
      second[i] = 0.75F * gradient_at(t, i);
    }
    adam.begin_step();
    const auto piece = [&](std::size_t begin, std::size_t size) {
      adam.update(begin, std::span(parameters).subspan(begin, size), std::span(first).subspan(begin, size),
                  std::span(second).subspan(begin, size));
    };
    piece(0, kCut);
    piece(kCut, kParameters - kCut);
  }
  const auto expected = reference(kSteps, options);
  for (std::size_t i = 0; i < kParameters; ++i) EXPECT_NEAR(parameters[i], expected[i], 2e-5);
}

TEST(Adam, FollowsThePublishedAlgorithmInPiecesAndWithTwoGradients) {
  expect_follows_the_reference({.learning_rate = 0.01F});
}

TEST(Adam, DecaysWeightsApartFromTheGradients) {
  expect_follows_the_reference({.learning_rate = 0.01F, .weight_decay = 0.5F});
}

TEST(Adam, GoesOnFromARestoredState) {
  const auto advance = [](Adam& adam, std::vector<float>& parameters, std::size_t from, std::size_t to) {
    for (std::size_t t = from; t < to; ++t) {
      std::vector<float> gradient(kParameters);
      for (std::size_t i = 0; i < kParameters; ++i) gradient[i] = gradient_at(t, i);
      adam.begin_step();
      adam.update(0, parameters, gradient, {});
    }
  };
  Adam whole(kParameters, {});
  std::vector<float> expected(kParameters, 1);
  advance(whole, expected, 0, 10);

  Adam before(kParameters, {}), after(kParameters, {});
  std::vector<float> parameters(kParameters, 1);
  advance(before, parameters, 0, 4);
  ASSERT_TRUE(after.restore(before.state()));
  advance(after, parameters, 4, 10);
  EXPECT_EQ(parameters, expected);
}

TEST(Adam, RefusesAStateOfAnotherSize) {
  Adam adam(kParameters, {});
  EXPECT_FALSE(adam.restore(Adam(kParameters + 1, {}).state()));
}

}  // namespace
}  // namespace sotto
