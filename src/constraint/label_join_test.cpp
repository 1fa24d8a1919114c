#include "sotto/constraint/label_join.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

namespace sotto {
namespace {

// Every point of a small L1 ball.
std::vector<std::vector<std::int64_t>> points_of_ball(std::int64_t resolution) {
  std::vector<std::vector<std::int64_t>> points;
  for (std::int64_t x = -resolution; x <= resolution; ++x)
    for (std::int64_t y = -resolution; y <= resolution; ++y)
      if (std::abs(x) + std::abs(y) <= resolution) points.push_back({x, y});
  return points;
}

TEST(LabelJoin, KeepsEveryPointAndLabelInsideAndApart) {
  constexpr std::int64_t kResolution = 3, kClasses = 3;
  const LabelJoin join = LabelJoin::make(L1Ball{2, kResolution}, kClasses).value_or_throw();
  std::vector<std::vector<std::int64_t>> joined;
  for (const auto& point : points_of_ball(kResolution))
    for (std::int64_t label = 0; label < kClasses; ++label) {
      std::vector<std::int64_t> joint(6, 99);
      join.join(point, label, joint);
      EXPECT_TRUE(contains(join.domain(), joint));
      joined.push_back(joint);
    }
  for (const auto& left : joined)
    for (const auto& right : joined) {
      std::int64_t distance = 0;
      for (std::size_t i = 0; i < left.size(); ++i) distance += std::abs(left[i] - right[i]);
      EXPECT_LE(distance, 2 * kResolution);  // the sensitivity that the channel is built for
    }
}

TEST(LabelJoin, GivesEachCodeAndLabelASymbolOfItsOwn) {
  const LabelJoin join = LabelJoin::make(Product::categories(4), 3).value_or_throw();
  std::array<bool, 12> seen{};
  for (std::int64_t code = 0; code < 4; ++code)
    for (std::int64_t label = 0; label < 3; ++label) {
      std::int64_t symbol = -1;
      join.join({&code, 1}, label, {&symbol, 1});
      ASSERT_TRUE(contains(join.domain(), {&symbol, 1}));
      EXPECT_FALSE(seen[static_cast<std::size_t>(symbol)]);
      seen[static_cast<std::size_t>(symbol)] = true;
    }
}

TEST(LabelJoin, PutsSymbolsAsFarApartAsTheirCodesAndOtherLabelsAtTheLargestDistance) {
  const Product codes{{{3, false}}, {0, 1, 5, 2, 0, 3, 4, 1, 0}};
  const LabelJoin join = LabelJoin::make(codes, 2).value_or_throw();
  const auto& joint = std::get<Product>(join.domain());
  ASSERT_EQ(joint.distances.size(), 36U);
  for (std::size_t from = 0; from < 6; ++from)
    for (std::size_t to = 0; to < 6; ++to)
      EXPECT_EQ(joint.distances[from * 6 + to], from % 2 == to % 2 ? codes.distances[from / 2 * 3 + to / 2] : 5)
          << from << " to " << to;
}

TEST(LabelJoin, RefusesMoreSymbolsWithDistancesThanADomainMayHave) {
  Product codes = Product::categories(300);
  codes.distances.assign(300 * 300, 1);
  for (std::size_t i = 0; i < 300; ++i) codes.distances[i * 301] = 0;
  EXPECT_TRUE(LabelJoin::make(codes, 3));
  EXPECT_EQ(LabelJoin::make(codes, 4).error().code, ErrorCode::kInvalidArgument);
}

TEST(LabelJoin, RefusesOtherDomainsAndImpossibleSizes) {
  EXPECT_EQ(LabelJoin::make(L2Ball{2, 4}, 3).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(LabelJoin::make(Product{{{5, true}}}, 3).error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(LabelJoin::make(L1Ball{2, 4}, 1));
  EXPECT_FALSE(LabelJoin::make(L1Ball{kMaxDimension, 4}, 2));
  EXPECT_FALSE(LabelJoin::make(Product::categories(INT64_MAX / 2), 3));
}

TEST(LabelJoin, ThrowsRatherThanWriteAnotherLabelsBlock) {
  const LabelJoin join = LabelJoin::make(L1Ball{2, 4}, 3).value_or_throw();
  const std::vector<std::int64_t> point{1, -1}, longer{1, -1, 0};
  std::vector<std::int64_t> joint(6), shorter(5);
  EXPECT_THROW(join.join(point, 3, joint), Failure);
  EXPECT_THROW(join.join(point, -1, joint), Failure);
  EXPECT_THROW(join.join(longer, 0, joint), Failure);
  EXPECT_THROW(join.join(point, 0, shorter), Failure);
}

}  // namespace
}  // namespace sotto
