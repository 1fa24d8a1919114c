#include "sotto/constraint/codebook.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/constraint/hostile_floats_test.h"

namespace sotto {
namespace {

std::int64_t code_of(const Constraint& codebook, const std::vector<float>& encoded) {
  std::int64_t code = -1;
  codebook.constrain(encoded, std::span(&code, 1)).or_throw();
  return code;
}

TEST(Codebook, EndsInsideWhateverComesIn) {
  HostileFloats floats;
  for (const auto& [codes, width] : {std::pair{2, 1}, {16, 8}, {100, 3}, {64, 128}})
    EXPECT_EQ(escapes(*make_codebook(floats.ordinary(codes * width, 1.0F), width).value_or_throw(), 500), 0);
  EXPECT_EQ(escapes(*make_codebook({FLT_MAX, -FLT_MAX, FLT_TRUE_MIN}, 1).value_or_throw(), 500), 0);
}

TEST(Codebook, FindsTheNearestCentroid) {
  HostileFloats floats;
  constexpr std::size_t kCodes = 50, kWidth = 7;
  const auto centroids = floats.ordinary(kCodes * kWidth, 1.0F);
  const auto codebook = make_codebook(centroids, kWidth).value_or_throw();
  for (int round = 0; round < 2000; ++round) {
    const auto encoded = floats.ordinary(kWidth, 1.5F);
    const auto distance = [&](std::size_t code) {
      long double sum = 0;
      for (std::size_t i = 0; i < kWidth; ++i)
        sum += std::pow(static_cast<long double>(encoded[i]) - centroids[code * kWidth + i], 2.0L);
      return sum;
    };
    std::size_t nearest = 0;
    for (std::size_t code = 1; code < kCodes; ++code)
      if (distance(code) < distance(nearest)) nearest = code;
    ASSERT_EQ(code_of(*codebook, encoded), static_cast<std::int64_t>(nearest));
  }
}

TEST(Codebook, CountsWhatIsNotFiniteAsZeroAndBreaksTiesDownwards) {
  const auto codebook = make_codebook({5, 5, 1, 1, -1, -1, 1, 1}, 2).value_or_throw();
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(code_of(*codebook, {nan, inf}), 1);
  EXPECT_EQ(code_of(*codebook, {0, 0}), 1);
  EXPECT_EQ(code_of(*codebook, {1, 1}), 1);
  EXPECT_EQ(code_of(*codebook, {-inf, -3}), 2);
  EXPECT_EQ(code_of(*codebook, {4, nan}), 1);
}

TEST(Codebook, OffsetsMoveTheBordersBetweenCodes) {
  // Between 0 and 2, an offset of 2 for the second code moves the border from 1 to 1.5.
  const auto codebook = make_codebook({0, 2}, 1, {}, {0, 2}).value_or_throw();
  EXPECT_EQ(code_of(*codebook, {1.49F}), 0);
  EXPECT_EQ(code_of(*codebook, {1.5F}), 0) << "a tie";
  EXPECT_EQ(code_of(*codebook, {1.51F}), 1);
  EXPECT_EQ(escapes(*make_codebook({FLT_MAX, -FLT_MAX}, 1, {}, {FLT_MAX, -FLT_MAX}).value_or_throw(), 500), 0);
}

TEST(Codebook, RefusesWrongLengths) {
  expect_wrong_lengths_are_refused(*make_codebook({1, 2, 3, 4}, 2).value_or_throw());
}

TEST(Codebook, RefusesCentroidsThatAreNotATableOfFiniteNumbers) {
  EXPECT_FALSE(make_codebook({}, 1));
  EXPECT_FALSE(make_codebook({1, 2}, 0));
  EXPECT_FALSE(make_codebook({1, 2, 3}, 2));
  EXPECT_FALSE(make_codebook({1, 2}, 2)) << "one code says nothing";
  EXPECT_FALSE(make_codebook({1, std::numeric_limits<float>::infinity()}, 1));
  EXPECT_FALSE(make_codebook({1, std::numeric_limits<float>::quiet_NaN()}, 1));
  EXPECT_FALSE(make_codebook(std::vector<float>(kMaxResolution + 2, 0.0F), 1));
  EXPECT_FALSE(make_codebook({1, 2}, 1, {}, {1}));
  EXPECT_FALSE(make_codebook({1, 2}, 1, {}, {1, 2, 3}));
  EXPECT_FALSE(make_codebook({1, 2}, 1, {}, {1, std::numeric_limits<float>::infinity()}));
}

}  // namespace
}  // namespace sotto
