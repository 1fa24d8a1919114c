// For tests of constraints: everything an encoder could return, and the check that whatever it is ends in the domain.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfloat>
#include <limits>
#include <random>
#include <vector>

#include "sotto/constraint/constraint.h"

namespace sotto {

inline constexpr std::array kSpecialFloats = {
    0.0F,
    -0.0F,
    1.0F,
    -1.0F,
    0.1F,
    FLT_MAX,
    -FLT_MAX,
    1e38F,
    FLT_MIN,
    FLT_TRUE_MIN,
    -FLT_TRUE_MIN,
    FLT_EPSILON,
    std::numeric_limits<float>::infinity(),
    -std::numeric_limits<float>::infinity(),
    std::numeric_limits<float>::quiet_NaN(),
    std::numeric_limits<float>::signaling_NaN(),
};

// A source of vectors of floats. Reproducible.
class HostileFloats {
 public:
  // Any of the 2^32 bit patterns is equally likely: one in 256 is not finite, half are beyond 1e0 in magnitude.
  std::vector<float> bit_patterns(std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = std::bit_cast<float>(static_cast<std::uint32_t>(engine_()));
    return values;
  }
  std::vector<float> specials(std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = kSpecialFloats[engine_() % kSpecialFloats.size()];
    return values;
  }
  // Ordinary values of about the given size, where rounding errors of a projection show.
  std::vector<float> ordinary(std::size_t count, float size) {
    std::uniform_real_distribution<float> law(-size, size);
    std::vector<float> values(count);
    for (float& value : values) value = law(engine_);
    return values;
  }

 private:
  std::mt19937_64 engine_{20261115};
};

// How many of `rounds` hostile vectors of each kind `map(encoded, point)` takes out of the domain.
template <typename Map>
int escapes(const Domain& domain, std::size_t input_length, int rounds, Map map) {
  HostileFloats floats;
  std::vector<std::int64_t> point(point_length(domain));
  int count = 0;
  const auto try_one = [&](const std::vector<float>& encoded) {
    map(std::span<const float>(encoded), std::span<std::int64_t>(point));
    count += contains(domain, point) ? 0 : 1;
  };
  for (const float value : kSpecialFloats) try_one(std::vector<float>(input_length, value));
  for (int round = 0; round < rounds; ++round) {
    try_one(floats.bit_patterns(input_length));
    try_one(floats.specials(input_length));
    for (const float size : {1e-30F, 0.01F, 1.0F, 3.0F, 1e30F}) try_one(floats.ordinary(input_length, size));
  }
  return count;
}

inline int escapes(const Constraint& constraint, int rounds) {
  return escapes(constraint.domain(), constraint.input_length(), rounds,
                 [&](std::span<const float> encoded, std::span<std::int64_t> point) {
                   constraint.constrain(encoded, point).or_throw();
                 });
}

// A wrong length is an error that leaves the point alone.
inline void expect_wrong_lengths_are_refused(const Constraint& constraint) {
  const std::size_t length = point_length(constraint.domain());
  std::vector<std::int64_t> point(length, 77);
  for (const std::size_t wrong : {std::size_t{0}, constraint.input_length() - 1, constraint.input_length() + 1}) {
    const Status status = constraint.constrain(std::vector<float>(wrong, 0.5F), point);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(point, std::vector<std::int64_t>(length, 77));
  }
  std::vector<std::int64_t> longer(length + 1, 77);
  EXPECT_FALSE(constraint.constrain(std::vector<float>(constraint.input_length(), 0.5F), longer));
  EXPECT_EQ(longer, std::vector<std::int64_t>(length + 1, 77));
}

}  // namespace sotto
