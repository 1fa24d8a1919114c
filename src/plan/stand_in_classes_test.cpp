#include "sotto/plan/stand_in_classes.h"

#include <gtest/gtest.h>

#include <set>

#include "sotto/data/blobs_test.h"

namespace sotto {
namespace {

TEST(StandInClasses, AreTheGroupsThatRecordsFallInto) {
  const Dataset blobs = make_blobs(800, 1);
  const auto classes = stand_in_classes(blobs.values, blobs.width, 4, 1);
  ASSERT_EQ(classes.size(), 800U);
  EXPECT_EQ((std::set<std::int32_t>(classes.begin(), classes.end())), (std::set<std::int32_t>{0, 1, 2, 3}));
  for (std::size_t row = 0; row < classes.size(); ++row) EXPECT_EQ(classes[row], classes[row % 4]);
}

// Kinds 0 and 1 share most of their direction: three groups are these two together and the others.
TEST(StandInClasses, DrawTogetherWhatIsNearestFirst) {
  Dataset blobs = make_blobs(800, 1);
  std::vector<float> features;
  for (std::size_t row = 0; row < blobs.rows; ++row) {
    const auto record = std::span(blobs.values).subspan(row * blobs.width, blobs.width);
    features.insert(features.end(), record.begin(), record.end());
    features.push_back(row % 4 < 2 ? 3.0F : 0.0F);
  }
  const auto classes = stand_in_classes(features, blobs.width + 1, 3, 1);
  for (std::size_t row = 0; row < classes.size(); ++row) EXPECT_EQ(classes[row], classes[row % 4]);
  EXPECT_EQ(classes[0], classes[1]);
  EXPECT_EQ((std::set<std::int32_t>(classes.begin(), classes.end()).size()), 3U);
}

TEST(StandInClasses, AreNoMoreThanThereAreDirections) {
  const std::vector<float> two{1, 0, 2, 0, 0, 1, 0, 5};
  EXPECT_EQ(stand_in_classes(two, 2, 3, 1).size(), 4U);
}

}  // namespace
}  // namespace sotto
