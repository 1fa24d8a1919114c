#include "sotto/audit/tuples.h"

#include <gtest/gtest.h>

#include "sotto/audit/scaled_down.h"

namespace sotto {
namespace {

TEST(Tuples, EnumerateInLexicographicOrder) {
  const Tuples pairs =
      enumerate(std::vector<Range>{{0, 1}, {-1, 1}}, [](Point p) { return p[0] + p[1] != 0; }).value_or_throw();
  ASSERT_EQ(pairs.size(), 4U);
  EXPECT_EQ(pairs[0][1], -1);
  EXPECT_EQ(pairs[1][1], 1);
  EXPECT_EQ(pairs[3][0], 1);
}

// Octahedral and Gauss-circle numbers.
TEST(Tuples, PointsOfADomainAreAllOfThem) {
  EXPECT_EQ(points_of(L1Ball{3, 5})->size(), 231U);
  EXPECT_EQ(points_of(L1Ball{2, 3})->size(), 25U);
  EXPECT_EQ(points_of(L2Ball{2, 3})->size(), 29U);
  EXPECT_EQ(points_of(L2Ball{3, 2})->size(), 33U);
  EXPECT_EQ(points_of(Product{{{2, true}, {5, false}}})->size(), 10U);
  EXPECT_EQ(points_of(DirectionAndLength{1, 2})->size(), 12U);
}

TEST(ScaledDown, KeepsTheFamilyAndShrinksEverything) {
  const auto balls = scaled_down(L1Ball{8, 65536});
  ASSERT_EQ(balls.size(), 12U);
  EXPECT_EQ(std::get<L1Ball>(balls.back()).dimension, 3U);
  EXPECT_EQ(std::get<L1Ball>(balls.back()).resolution, 5);
  EXPECT_EQ(scaled_down(L2Ball{2, 2}).size(), 4U);
}

TEST(ScaledDown, KeepsBothKindsOfCoordinates) {
  Product features{std::vector<Coordinate>(20, {65537, true})};
  features.coordinates[17] = {3, false};
  for (const Domain& domain : scaled_down(features)) {
    const auto& small = std::get<Product>(domain).coordinates;
    ASSERT_EQ(small.size(), 3U);
    EXPECT_TRUE(small[0].ordered);
    EXPECT_FALSE(small[1].ordered);
    EXPECT_LE(small[1].levels, 3);
  }
  EXPECT_EQ(scaled_down(Product::categories(4)).size(), 2U);
}

}  // namespace
}  // namespace sotto
