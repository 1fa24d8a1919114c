#include "sotto/constraint/domain.h"

#include <gtest/gtest.h>

#include <limits>

namespace sotto {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

using Coordinates = std::vector<std::int64_t>;

// Every point of {−reach … reach}^dimension.
std::vector<Coordinates> cube(std::size_t dimension, std::int64_t reach) {
  std::vector<Coordinates> points{{}};
  for (std::size_t i = 0; i < dimension; ++i) {
    std::vector<Coordinates> longer;
    for (const Coordinates& point : points)
      for (std::int64_t k = -reach; k <= reach; ++k) {
        longer.push_back(point);
        longer.back().push_back(k);
      }
    points = longer;
  }
  return points;
}

TEST(Domain, BallsContainExactlyTheirPoints) {
  for (const std::size_t dimension : {1, 2, 3})
    for (const std::int64_t resolution : {1, 2, 5})
      for (const Coordinates& point : cube(dimension, resolution + 1)) {
        std::int64_t sum = 0, squares = 0;
        for (const std::int64_t k : point) {
          sum += std::abs(k);
          squares += k * k;
        }
        EXPECT_EQ((L1Ball{dimension, resolution}.contains(point)), sum <= resolution);
        EXPECT_EQ((L2Ball{dimension, resolution}.contains(point)), squares <= resolution * resolution);
      }
}

TEST(Domain, ProductsContainExactlyTheirPoints) {
  const Product product{{{3, true}, {2, false}}};
  for (const Coordinates& point : cube(2, 4))
    EXPECT_EQ(product.contains(point), 0 <= point[0] && point[0] <= 2 && 0 <= point[1] && point[1] <= 1);
}

TEST(Domain, DirectionsAreNeverZeroAndLengthsNeverNegative) {
  const DirectionAndLength sphere{2, 3};
  for (const Coordinates& point : cube(3, 4)) {
    const std::int64_t squares = point[0] * point[0] + point[1] * point[1];
    EXPECT_EQ(sphere.contains(point), 0 < squares && squares <= 9 && 0 <= point[2] && point[2] <= 3);
  }
}

TEST(Domain, ExtremeIntegersAreOutsideWithoutOverflow) {
  for (const std::int64_t extreme : {kLowest, kLowest + 1, kHighest, std::int64_t{1} << 32}) {
    const Coordinates point{extreme, extreme, 0};
    EXPECT_FALSE((L1Ball{3, kMaxResolution}.contains(point)));
    EXPECT_FALSE((L2Ball{3, kMaxResolution}.contains(point)));
    EXPECT_FALSE((DirectionAndLength{2, kMaxResolution}.contains(point)));
    EXPECT_FALSE((DirectionAndLength{2, kMaxResolution}.contains(Coordinates{1, 0, extreme})));
    EXPECT_FALSE((Product{{{5, true}, {5, true}, {5, true}}}.contains(point)));
  }
}

TEST(Domain, PointsOfAnotherLengthAreOutside) {
  const Domain domains[] = {L1Ball{2, 5}, L2Ball{2, 5}, Product{{{5, true}, {5, false}}}, DirectionAndLength{1, 5}};
  for (const Domain& domain : domains) {
    EXPECT_EQ(point_length(domain), 2U);
    EXPECT_TRUE(contains(domain, Coordinates{1, 1}));
    EXPECT_FALSE(contains(domain, Coordinates{}));
    EXPECT_FALSE(contains(domain, Coordinates{1}));
    EXPECT_FALSE(contains(domain, Coordinates{1, 1, 0}));
  }
}

TEST(Domain, ValidatesTheSizesOnWhichItsSumsRely) {
  EXPECT_TRUE(validate(L1Ball{kMaxDimension, kMaxResolution}));
  EXPECT_FALSE(validate(L1Ball{kMaxDimension + 1, 1}));
  EXPECT_FALSE(validate(L2Ball{0, 1}));
  EXPECT_FALSE(validate(L2Ball{1, 0}));
  EXPECT_FALSE(validate(DirectionAndLength{1, kMaxResolution + 1}));
  EXPECT_FALSE(validate(DirectionAndLength{1, kLowest}));
  EXPECT_TRUE(validate(Product::categories(2)));
  EXPECT_TRUE(validate(Product::categories(kMaxResolution + 1)));
  EXPECT_FALSE(validate(Product::categories(kMaxResolution + 2)));
  EXPECT_FALSE(validate(Product::categories(1)));
  EXPECT_FALSE(validate(Product::categories(-3)));
  EXPECT_FALSE(validate(Product{}));
  EXPECT_FALSE(validate(Product{std::vector<Coordinate>(kMaxDimension + 1, {2, true})}));
  const Status status = validate(Product{{{2, true}, {1, false}}});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "levels: must lie between 2 and 2^20 + 1, got 1");
}

TEST(Domain, ValidatesDistancesBetweenTheCategoriesOfOneSet) {
  const auto with = [](std::vector<Coordinate> coordinates, std::vector<std::uint8_t> distances) {
    const Status status = validate(Product{std::move(coordinates), std::move(distances)});
    return status ? std::string() : status.error().message;
  };
  const std::string shape = "distances: must be n x n for one set of n categories, n at most 1024, got ";
  const std::string value = "distances: must be 0 from a category to itself and between 1 and 32 to another, got ";
  EXPECT_EQ(with({{2, false}}, {0, 1, 32, 0}), "");
  EXPECT_EQ(with({{2, false}}, {0, 1, 1}), shape + "3");
  EXPECT_EQ(with({{3, false}}, {0, 1, 1, 0}), shape + "4");
  EXPECT_EQ(with({{2, true}}, {0, 1, 1, 0}), shape + "4");
  EXPECT_EQ(with({{2, false}, {2, false}}, {0, 1, 1, 0}), shape + "4");
  EXPECT_EQ(with({{2, false}}, {0, 1, 1, 1}), value + "1");
  EXPECT_EQ(with({{2, false}}, {0, 0, 1, 0}), value + "0");
  EXPECT_EQ(with({{2, false}}, {0, 33, 1, 0}), value + "33");
  EXPECT_EQ(with({{2, false}}, {0, 1, 255, 0}), value + "255");
  std::vector<std::uint8_t> many(1025 * 1025, 1);
  for (std::size_t i = 0; i < 1025; ++i) many[i * 1026] = 0;
  EXPECT_EQ(with({{1025, false}}, many), shape + "1050625");
}

}  // namespace
}  // namespace sotto
