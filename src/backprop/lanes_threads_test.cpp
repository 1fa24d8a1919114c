#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "sotto/backprop/lanes.h"

namespace sotto {
namespace {

TEST(Lanes, ShareOutEveryItemOnce) {
  for (const std::size_t count : {0, 1, 2, 7, 64, 1001})
    for (const std::size_t grain : {1, 16}) {
      std::vector<int> visits(count, 0);
      run_lanes([&](Lane& lane) {
        const auto part = lane.part_of(count, grain);
        for (std::size_t i = part.begin; i < part.end; ++i) ++visits[i];
      });
      EXPECT_EQ(visits, std::vector<int>(count, 1));
    }
}

TEST(Lanes, SeeEachOthersWorkAfterMeeting) {
  std::vector<int> values(kLanes, 0);
  run_lanes([&](Lane& lane) {
    for (int round = 1; round <= 1000; ++round) {
      values[lane.index()] = round;
      lane.meet();
      ASSERT_EQ(values[kLanes - 1 - lane.index()], round);
      lane.meet();
    }
  });
}

TEST(Lanes, HandOnAnExceptionWithoutLeavingTheOtherLaneWaiting) {
  const auto failing = [](Lane& lane) {
    if (lane.index() == 1) throw std::runtime_error("lane");
    lane.meet();
  };
  EXPECT_THROW(run_lanes(failing), std::runtime_error);
}

}  // namespace
}  // namespace sotto
