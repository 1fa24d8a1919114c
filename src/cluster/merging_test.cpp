#include "sotto/cluster/merging.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sotto {
namespace {

// Six clusters in three pairs, whose views pass between the two of a pair and hardly anywhere else.
std::vector<double> three_pairs() {
  std::vector<double> joint(36, 0.1);
  for (const std::size_t a : {0U, 1U, 2U}) {
    joint[a * 6 + a] = joint[(a + 3) * 6 + a + 3] = 60;
    joint[a * 6 + a + 3] = 30;  // one order only
  }
  return joint;
}

TEST(Merging, PutsTogetherWhatViewsPassBetween) {
  EXPECT_EQ(merge_clusters(three_pairs(), 6, 3), (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(Merging, LeavesEnoughClustersAsTheyAre) {
  EXPECT_EQ(merge_clusters(three_pairs(), 6, 6), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(merge_clusters(three_pairs(), 6, 9), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Merging, GivesAnEmptyClusterAwayFirst) {
  std::vector<double> joint = three_pairs();
  for (std::size_t c = 0; c < 6; ++c) joint[c * 6 + 5] = joint[5 * 6 + c] = 0;
  const auto groups = merge_clusters(joint, 6, 5);
  EXPECT_EQ(*std::max_element(groups.begin(), groups.end()), 4U);
  std::vector<std::size_t> members(5, 0);
  for (const std::uint32_t group : groups) ++members[group];
  EXPECT_EQ(members[groups[5]], 2U);
}

}  // namespace
}  // namespace sotto
