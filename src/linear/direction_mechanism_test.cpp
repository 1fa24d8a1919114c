#include "sotto/linear/direction_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto {
namespace {

// Features of records: ten times as wide along the first axis as along the second, and the third says nothing new.
Dataset features_of_records() {
  SeededEntropy entropy(3);
  Dataset data{2000, 3, {}, {}};
  const auto spread = [&] { return static_cast<float>(entropy.take<std::uint32_t>()) / 2147483648.0F - 1; };
  for (std::size_t i = 0; i < data.rows; ++i) {
    const float wide = 7 + 10 * spread(), narrow = 3 + spread();
    data.values.insert(data.values.end(), {wide, narrow, 2 * wide});
  }
  return data;
}

InputSchema three_numbers() {
  InputSchema schema;
  for (const char* name : {"x", "y", "z"}) schema.columns.emplace_back().name = name;
  return schema;
}

Result<MechanismSpec> made(std::size_t dimension) {
  return direction_mechanism(Network::make(3, {}).value_or_throw(), features_of_records(), three_numbers(),
                             std::nullopt, {dimension, 1000}, {{"method", "directions"}});
}

TEST(DirectionMechanism, BringsEveryComponentToTheSameVariance) {
  const MechanismSpec spec = made(2).value_or_throw();
  const Dataset data = features_of_records();
  std::vector<float> encoded(data.rows * 2);
  Network::Workspace workspace;
  spec.encoder.encode(data.values, data.rows, encoded, workspace);
  for (const std::size_t component : {0, 1}) {
    double sum = 0, square = 0;
    for (std::size_t i = component; i < encoded.size(); i += 2) {
      sum += static_cast<double>(encoded[i]) / 2000;
      square += static_cast<double>(encoded[i]) * static_cast<double>(encoded[i]) / 2000;
    }
    EXPECT_NEAR(sum, 0, 1e-3);
    EXPECT_NEAR(square, 1, 1e-3);
  }
}

TEST(DirectionMechanism, ReleasesAHyperplaneAndASide) {
  const Mechanism mechanism = Mechanism::make(made(2).value_or_throw()).value_or_throw();
  EXPECT_EQ(mechanism.spec().channel, ChannelFamily::kHyperplaneResponse);
  const Release release = mechanism.release({Epsilon::parse("1").value_or_throw()}).value_or_throw();
  EXPECT_EQ(release.report_length(), 2U);
  EXPECT_TRUE(release.claim().delta.is_zero());
}

TEST(DirectionMechanism, RefusesMoreDirectionsThanThereAre) {
  const auto refused = made(3);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "dimension: the features vary in 2 directions only, got 3");
  EXPECT_FALSE(made(4));
  EXPECT_FALSE(made(0));
}

}  // namespace
}  // namespace sotto
