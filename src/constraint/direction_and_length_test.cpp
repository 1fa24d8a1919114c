#include "sotto/constraint/direction_and_length.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/constraint/hostile_floats_test.h"

namespace sotto {
namespace {

constexpr std::int64_t kResolution = 1 << 16;

std::vector<std::int64_t> split(const std::vector<float>& encoded, double max_length) {
  const auto constraint = make_direction_and_length({encoded.size(), kResolution}, max_length).value_or_throw();
  std::vector<std::int64_t> point(encoded.size() + 1);
  constraint->constrain(encoded, point).or_throw();
  return point;
}

TEST(DirectionAndLength, EndsInsideWhateverComesIn) {
  for (const std::int64_t resolution : {std::int64_t{1}, std::int64_t{7}, kResolution, kMaxResolution})
    for (const double max_length : {1e-6, 1.0, 1e6})
      for (const auto& [dimension, rounds] : {std::pair{1, 500}, {2, 500}, {8, 500}, {1000, 20}})
        EXPECT_EQ(escapes(*make_direction_and_length({static_cast<std::size_t>(dimension), resolution}, max_length)
                               .value_or_throw(),
                          rounds),
                  0)
            << "dimension " << dimension << ", resolution " << resolution;
}

TEST(DirectionAndLength, KeepsBothPartsOfAnOrdinaryVector) {
  HostileFloats floats;
  for (int round = 0; round < 500; ++round) {
    const auto encoded = floats.ordinary(5, 1.0F);
    double norm = 0;
    for (const float value : encoded) norm = std::hypot(norm, static_cast<double>(value));
    const auto point = split(encoded, 4.0);
    for (std::size_t i = 0; i < 5; ++i)
      ASSERT_NEAR(static_cast<double>(point[i]), encoded[i] / norm * static_cast<double>(kResolution), 2);
    ASSERT_NEAR(static_cast<double>(point[5]), norm / 4 * static_cast<double>(kResolution), 1);
  }
}

TEST(DirectionAndLength, CutsLengthsAtTheLongest) {
  EXPECT_EQ(split({3, 4}, 5.0), (std::vector<std::int64_t>{kResolution * 3 / 5, kResolution * 4 / 5, kResolution}));
  EXPECT_EQ(split({3, 4}, 0.5).back(), kResolution);
  EXPECT_EQ(split({FLT_MAX, 0}, 1.0), (std::vector<std::int64_t>{kResolution, 0, kResolution}));
  EXPECT_EQ(split({-FLT_TRUE_MIN, 0}, 1.0), (std::vector<std::int64_t>{-kResolution, 0, 0}));
}

TEST(DirectionAndLength, GivesTheFirstAxisToWhatHasNoDirection) {
  const std::vector<std::int64_t> nothing{kResolution, 0, 0};
  EXPECT_EQ(split({0, 0}, 1.0), nothing);
  EXPECT_EQ(split({std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}, 1.0), nothing);
}

TEST(DirectionAndLength, RefusesWrongLengthsAndParameters) {
  expect_wrong_lengths_are_refused(*make_direction_and_length({3, 10}, 1.0).value_or_throw());
  for (const double max_length : {0.0, -1.0, 1e-7, 1e7, std::nan("")})
    EXPECT_FALSE(make_direction_and_length({3, 10}, max_length)) << max_length;
  EXPECT_FALSE(make_direction_and_length({0, 10}, 1.0));
  EXPECT_FALSE(make_direction_and_length({3, 0}, 1.0));
}

}  // namespace
}  // namespace sotto
