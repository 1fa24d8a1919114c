#include "sotto/data/turned_copies.h"

#include <gtest/gtest.h>

namespace sotto {
namespace {

std::vector<float> row_of(const Dataset& data, std::size_t row) {
  const auto values = std::span(data.values).subspan(row * data.width, data.width);
  return {values.begin(), values.end()};
}

TEST(TurnedCopies, FollowTheImagesOneTwoAndThreeQuartersRound) {
  const Dataset images{4, 4, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 2, 3}};
  const Dataset all = with_turned_copies(images, {1, 2, 2});
  ASSERT_EQ(all.rows, 8U);
  EXPECT_TRUE(all.labels.empty());
  for (std::size_t row = 0; row < 4; ++row) EXPECT_EQ(row_of(all, row), row_of(images, row));
  EXPECT_EQ(row_of(all, 4), (std::vector<float>{2, 4, 1, 3}));
  EXPECT_EQ(row_of(all, 5), (std::vector<float>{4, 3, 2, 1}));
  EXPECT_EQ(row_of(all, 6), (std::vector<float>{3, 1, 4, 2}));
  EXPECT_EQ(row_of(all, 7), (std::vector<float>{6, 8, 5, 7}));
}

TEST(TurnedCopies, TurnChannelsEachAndOblongImagesUpsideDown) {
  const Dataset images{1, 12, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60}, {}};
  EXPECT_EQ(row_of(with_turned_copies(images, {2, 2, 3}), 1),
            (std::vector<float>{6, 5, 4, 3, 2, 1, 60, 50, 40, 30, 20, 10}));
  const Dataset square{1, 8, {1, 2, 3, 4, 10, 20, 30, 40}, {}};
  EXPECT_EQ(row_of(with_turned_copies(square, {2, 2, 2}), 1), (std::vector<float>{2, 4, 1, 3, 20, 40, 10, 30}));
}

}  // namespace
}  // namespace sotto
