#include "sotto/report/axis.h"

#include <gtest/gtest.h>

namespace sotto {
namespace {

using Numbers = std::vector<double>;

TEST(NiceTicks, AreRoundAndEncloseTheRange) {
  EXPECT_EQ(nice_ticks(7.6, 97.0, 5), (Numbers{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(nice_ticks(55, 65, 5), (Numbers{54, 56, 58, 60, 62, 64, 66}));
  EXPECT_EQ(nice_ticks(0, 100, 5), (Numbers{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(nice_ticks(-1, 1, 4), (Numbers{-1, -0.5, 0, 0.5, 1}));
}

TEST(SpreadLabels, LeavesAloneWhatIsApart) {
  EXPECT_EQ(spread_labels({10, 40, 90}, 15, 0, 100), (Numbers{10, 40, 90}));
  EXPECT_TRUE(spread_labels({}, 15, 0, 100).empty());
}

TEST(SpreadLabels, MovesNeighboursApartAroundTheirMiddle) {
  EXPECT_EQ(spread_labels({50, 50}, 10, 0, 100), (Numbers{45, 55}));
  EXPECT_EQ(spread_labels({48, 50, 52, 90}, 10, 0, 100), (Numbers{40, 50, 60, 90}));
}

TEST(SpreadLabels, StaysWithinItsLimits) {
  EXPECT_EQ(spread_labels({1, 2}, 10, 0, 100), (Numbers{0, 10}));
  EXPECT_EQ(spread_labels({98, 99}, 10, 0, 100), (Numbers{90, 100}));
  EXPECT_EQ(spread_labels({50, 50, 50}, 80, 0, 100), (Numbers{0, 50, 100}));  // no room: evenly
}

}  // namespace
}  // namespace sotto
