#include "sotto/learn/public_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sotto/backprop/random.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using Values = std::vector<std::int64_t>;

Representation representation_of(const MechanismSpec& spec) { return {mechanism_of(spec), release_of(spec, "1")}; }

std::vector<float> draw_records(std::size_t count) {
  SeededEntropy entropy(3);
  std::vector<float> records;
  for (std::size_t i = 0; i < 2 * count; ++i) records.push_back(draw_uniform(entropy) - 0.5F);
  return records;
}

TEST(PublicPrior, KeepsFewDistinctPointsAsTheyAre) {
  const Representation representation = representation_of(l1_spec(4));
  const std::vector<float> records = {0.5F, 0, 0, -0.25F, 0.5F, 0, 0, -0.25F, 0.25F, 0.25F};
  const auto prior = make_public_prior(representation, records, 5, 3, 1).value_or_throw();
  EXPECT_EQ(prior.size, 3U);
  EXPECT_EQ(prior.points, (Values{2, 0, 0, -1, 1, 1}));
  EXPECT_EQ(prior.place_of_record, (std::vector<std::uint32_t>{0, 1, 0, 1, 2}));
}

TEST(PublicPrior, DrawsManyPointsTogetherIntoSomeOfThemselves) {
  constexpr std::size_t kCount = 400, kMost = 20;
  const Representation representation = representation_of(l1_spec(1024));
  const auto records = draw_records(kCount);
  const auto prior = make_public_prior(representation, records, kCount, kMost, 1).value_or_throw();
  EXPECT_GT(prior.size, kMost / 2);
  EXPECT_LE(prior.size, kMost);
  ASSERT_EQ(prior.points.size(), 2 * prior.size);
  ASSERT_EQ(prior.place_of_record.size(), kCount);
  const Values all = representation.points_of(records, kCount).value_or_throw();
  std::set<Values> real;
  for (std::size_t i = 0; i < kCount; ++i) real.insert({all[2 * i], all[2 * i + 1]});
  double before = 0, after = 0;
  for (std::size_t m = 0; m < prior.size; ++m)
    EXPECT_TRUE(real.contains({prior.points[2 * m], prior.points[2 * m + 1]})) << "no record lands there";
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_LT(prior.place_of_record[i], prior.size);
    for (std::size_t j = 0; j < 2; ++j) {
      const auto from = static_cast<double>(all[2 * i + j]);
      after += std::abs(from - static_cast<double>(prior.points[2 * prior.place_of_record[i] + j]));
      before += std::abs(from);
    }
  }
  EXPECT_LT(after, before / 2) << "a record's place is no nearer to it than the origin is";
}

TEST(PublicPrior, IsTheSameForTheSameSeed) {
  const Representation representation = representation_of(l1_spec(1024));
  const auto records = draw_records(300);
  const auto first = make_public_prior(representation, records, 300, 10, 7).value_or_throw();
  const auto again = make_public_prior(representation, records, 300, 10, 7).value_or_throw();
  EXPECT_EQ(first.points, again.points);
  EXPECT_EQ(first.place_of_record, again.place_of_record);
}

TEST(PublicPrior, SumsRowsByTheirPoint) {
  PublicPrior prior;
  prior.size = 3;
  prior.place_of_record = {1, 0, 1, 1};
  const std::vector<float> rows = {1, 10, 2, 20, 3, 30, 4, 40};
  EXPECT_EQ(prior.sum_by_point(rows, 2), (std::vector<float>{2, 20, 8, 80, 0, 0}));
}

TEST(PublicPrior, RefusesRecordsOfAnotherWidthAndNone) {
  const Representation representation = representation_of(l1_spec(4));
  EXPECT_FALSE(make_public_prior(representation, std::vector<float>(3), 2, 5, 1));
  EXPECT_FALSE(make_public_prior(representation, {}, 0, 5, 1));
}

}  // namespace
}  // namespace sotto
