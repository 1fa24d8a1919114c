#include "sotto/audit/record_pair.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

RecordPair pair_of(const MechanismSpec& spec) {
  SeededEntropy entropy(1);
  return find_distant_pair(mechanism_of(spec), release_of(spec, "1"), entropy).value_or_throw();
}

std::int64_t l1_distance(const RecordPair& pair) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pair.first_point.size(); ++i) sum += std::abs(pair.first_point[i] - pair.second_point[i]);
  return sum;
}

TEST(RecordPair, SaysWhereItsRecordsLand) {
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    SCOPED_TRACE(name_of(spec.channel));
    const RecordPair pair = pair_of(spec);
    const Release release = release_of(spec, "1");
    EXPECT_EQ(release.point_of(pair.first).value_or_throw(), pair.first_point);
    EXPECT_EQ(release.point_of(pair.second).value_or_throw(), pair.second_point);
    EXPECT_NE(pair.first_point, pair.second_point);
  }
}

TEST(RecordPair, LiesOnOppositeSidesOfABall) {
  EXPECT_EQ(l1_distance(pair_of(l1_spec(64))), 2 * 64);  // the diameter
  const RecordPair pair = pair_of(spec_of(two_numbers(), L2LatticeSpec{1, 64}, ChannelFamily::kLatticeGaussian));
  EXPECT_EQ(pair.first_point[0], -pair.second_point[0]);
  EXPECT_GE(l1_distance(pair), 2 * 2 * 45);  // 64/√2 along each axis
}

// All records of equal values, and all with values between 0 and 1, land next to the centre.
TEST(RecordPair, FollowsWhatTheEncoderIsSensitiveTo) {
  MechanismSpec spec = l1_spec(64);
  spec.encoder = Network::make(2, {DenseLayer{2, 1, {1, -1}, {0}, Activation::kNone}}).value_or_throw();
  spec.constraint = L1LatticeSpec{1000, 64};
  EXPECT_EQ(l1_distance(pair_of(spec)), 2 * 64);
}

TEST(RecordPair, ReachesTheOppositeCornersOfABox) {
  const RecordPair pair = pair_of(spec_of(two_numbers(), FeatureBoxSpec{9}, ChannelFamily::kDuchi));
  EXPECT_EQ(l1_distance(pair), 2 * 9);
}

TEST(RecordPair, HasTheCodesThatAreFarthestApart) {
  const CodebookSpec codes{{-1, -1, 0, 0, 1, 1}, {0, 1, 2, 1, 0, 5, 2, 5, 0}};
  const RecordPair pair = pair_of(spec_of(two_numbers(), codes, ChannelFamily::kExponential));
  EXPECT_EQ(pair.first_point[0] + pair.second_point[0], 1 + 2);
  EXPECT_EQ(pair.first_point[0] * pair.second_point[0], 1 * 2);
}

// Fine steps of one coordinate must not count for more than another category.
TEST(RecordPair, WeighsACategoryAsMuchAsAWholeRange) {
  const RecordPair pair = pair_of(spec_of(number_and_category(), FeatureBoxSpec{600}, ChannelFamily::kFeatureLaplace));
  EXPECT_GE(std::abs(pair.first_point[0] - pair.second_point[0]), 590);
  EXPECT_NE(pair.first_point[1], pair.second_point[1]);
}

}  // namespace
}  // namespace sotto
