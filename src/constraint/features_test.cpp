#include "sotto/constraint/features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/constraint/hostile_floats_test.h"

namespace sotto {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::int64_t level(const FeatureBounds& feature, std::int64_t resolution, float value) {
  const auto box = make_feature_box({feature}, resolution).value_or_throw();
  std::int64_t point = -1;
  box->constrain(std::span(&value, 1), std::span(&point, 1)).or_throw();
  return point;
}

TEST(FeatureBox, EndsInsideWhateverComesIn) {
  const std::vector<FeatureBounds> mixed = {{0, 1, 0},    {-1e300, 1e300, 0}, {1e-300, 2e-300, 0},   {0, 1, 2},
                                            {-5, -4, 10}, {0, 1, 1 << 20},    {-FLT_MAX, FLT_MAX, 0}};
  for (const std::int64_t resolution : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1} << 16, kMaxResolution})
    EXPECT_EQ(escapes(*make_feature_box(mixed, resolution).value_or_throw(), 5000), 0) << resolution;
}

TEST(FeatureBox, RoundsNumbersToTheNearestLevel) {
  const FeatureBounds feature{-1, 3, 0};
  EXPECT_EQ(level(feature, 8, -1.0F), 0);
  EXPECT_EQ(level(feature, 8, 3.0F), 8);
  EXPECT_EQ(level(feature, 8, 1.0F), 4);
  EXPECT_EQ(level(feature, 8, 0.74F), 3);
  EXPECT_EQ(level(feature, 8, 0.76F), 4);
}

TEST(FeatureBox, TakesTheNearerBoundOutsideAndTheMiddleForNan) {
  const FeatureBounds feature{-1, 3, 0};
  EXPECT_EQ(level(feature, 8, -1.5F), 0);
  EXPECT_EQ(level(feature, 8, FLT_MAX), 8);
  EXPECT_EQ(level(feature, 8, -std::numeric_limits<float>::infinity()), 0);
  EXPECT_EQ(level(feature, 8, std::numeric_limits<float>::infinity()), 8);
  EXPECT_EQ(level(feature, 8, std::numeric_limits<float>::quiet_NaN()), 4);
}

TEST(FeatureBox, TakesCategoryZeroForAnIndexOutsideItsRange) {
  const FeatureBounds feature{0, 1, 5};
  for (int category = 0; category < 5; ++category) EXPECT_EQ(level(feature, 8, static_cast<float>(category)), category);
  EXPECT_EQ(level(feature, 8, 4.9F), 4);
  for (const float outside : {-1.0F, 5.0F, 1e30F, -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(level(feature, 8, outside), 0) << outside;
}

TEST(FeatureBox, RefusesWrongLengths) {
  expect_wrong_lengths_are_refused(*make_feature_box({{0, 1, 0}, {0, 1, 3}}, 10).value_or_throw());
}

TEST(FeatureBox, RefusesFeaturesWithoutUsableBounds) {
  for (const FeatureBounds& feature :
       {FeatureBounds{1, 1, 0}, FeatureBounds{2, 1, 0}, FeatureBounds{0, kInfinity, 0}, FeatureBounds{-kInfinity, 0, 0},
        FeatureBounds{0, NAN, 0}, FeatureBounds{NAN, 0, 0}, FeatureBounds{-1.7e308, 1.7e308, 0}, FeatureBounds{0, 1, 1},
        FeatureBounds{0, 1, -1}, FeatureBounds{NAN, NAN, -5}, FeatureBounds{0, 1, kMaxResolution + 2}})
    EXPECT_FALSE(make_feature_box({{0, 1, 0}, feature}, 10));
  EXPECT_FALSE(make_feature_box({}, 10));
  EXPECT_FALSE(make_feature_box({{0, 1, 0}}, 0));
  EXPECT_FALSE(make_feature_box({{0, 1, 0}}, kMaxResolution + 1));
}

}  // namespace
}  // namespace sotto
