#include "sotto/reproduce/protocol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sotto {
namespace {

// Records that know who they are: their only value is their row, test records count from 100,000.
Dataset numbered(std::size_t rows, std::int32_t classes, float first = 0) {
  Dataset data{rows, 1, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    data.values.push_back(first + static_cast<float>(row));
    data.labels.push_back(static_cast<std::int32_t>(row % static_cast<std::size_t>(classes)));
  }
  return data;
}

constexpr float kFirstTest = 100'000;

std::set<float> names(const Dataset& data) { return {data.values.begin(), data.values.end()}; }

void expect_apart(const Parts& parts) {
  std::set<float> all;
  std::size_t count = 0;
  for (const Dataset* data : {&parts.auxiliary, &parts.validation, &parts.reporting, &parts.held_out, &parts.test}) {
    all.insert(data->values.begin(), data->values.end());
    count += data->rows;
    EXPECT_EQ(data->rows, data->values.size());
    EXPECT_EQ(data->rows, data->labels.size());
  }
  EXPECT_EQ(all.size(), count) << "somebody is in two parts, or twice in one";
}

Parts parts_of(const Experiment& experiment, const Series& series, std::uint64_t seed = 1) {
  return share_out(numbered(6000, 10), numbered(1000, 10, kFirstTest), 10, experiment, series, seed);
}

// MNIST's 60,000 and 10,000: 45,000 and 7,500 for the mechanism, 13,500 + 1,500 and 2,500 for the classifier.
TEST(Protocol, SharesOutThePublishedSplit) {
  const Parts parts = share_out(numbered(60'000, 10), numbered(10'000, 10, kFirstTest), 10, {}, {}, 1);
  EXPECT_EQ(parts.auxiliary.rows, 45'000U);
  EXPECT_EQ(parts.validation.rows, 7'500U);
  EXPECT_EQ(parts.reporting.rows, 13'500U);
  EXPECT_EQ(parts.held_out.rows, 1'500U);
  EXPECT_EQ(parts.test.rows, 2'500U);
  EXPECT_EQ(parts.classes, 10);
  expect_apart(parts);
}

TEST(Protocol, AsksPeopleForAnotherLabelAndFewerOfThem) {
  Series series;
  series.relabel = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  series.reports = 200;
  const Parts parts = parts_of({}, series);
  EXPECT_EQ(parts.classes, 2);
  EXPECT_EQ(parts.reporting.rows + parts.held_out.rows, 200U);
  for (const Dataset* data : {&parts.reporting, &parts.held_out, &parts.test})
    for (std::size_t row = 0; row < data->rows; ++row)
      EXPECT_EQ(data->labels[row], static_cast<std::int32_t>(data->values[row]) % 2);
}

TEST(Protocol, KeepsTestRecordsOutOfTrainingAndLabelsWithTheirRecords) {
  const Parts parts = parts_of({}, {});
  expect_apart(parts);
  for (const Dataset* data : {&parts.auxiliary, &parts.reporting, &parts.held_out})
    for (const float name : data->values) EXPECT_LT(name, kFirstTest);
  for (const Dataset* data : {&parts.validation, &parts.test})
    for (const float name : data->values) EXPECT_GE(name, kFirstTest);
  for (const Dataset* data : {&parts.reporting, &parts.held_out, &parts.test})
    for (std::size_t row = 0; row < data->rows; ++row)
      EXPECT_EQ(data->labels[row], static_cast<std::int64_t>(data->values[row]) % 10);
}

TEST(Protocol, IsDrawnAnewForEachSeed) {
  EXPECT_EQ(parts_of({}, {}, 1).auxiliary.values, parts_of({}, {}, 1).auxiliary.values);
  EXPECT_NE(names(parts_of({}, {}, 1).auxiliary), names(parts_of({}, {}, 2).auxiliary));
  EXPECT_NE(names(parts_of({}, {}, 1).test), names(parts_of({}, {}, 2).test));
}

TEST(Protocol, KeepsTheLimitsOfExperimentAndSeries) {
  Experiment experiment;
  experiment.max_auxiliary = 300;
  experiment.max_reports = 200;
  experiment.max_tests = 50;
  Series series;
  const Parts parts = parts_of(experiment, series);
  EXPECT_EQ(parts.auxiliary.rows, 300U);
  EXPECT_EQ(parts.reporting.rows + parts.held_out.rows, 200U);
  EXPECT_EQ(parts.held_out.rows, 20U);
  EXPECT_EQ(parts.test.rows, 50U);
  EXPECT_EQ(parts.validation.rows, 50U);
  expect_apart(parts);
  series.auxiliary_records = 100;
  const Parts fewer = parts_of(experiment, series);
  EXPECT_EQ(fewer.auxiliary.rows, 100U);
  EXPECT_EQ(fewer.reporting.values, parts.reporting.values) << "the same people report";
  EXPECT_EQ(fewer.test.values, parts.test.values);
}

TEST(Protocol, GivesAllTrainingRecordsToAClassifierWhoseMechanismNeedsNone) {
  Series series;
  series.all_records = true;
  const Parts parts = parts_of({}, series);
  EXPECT_EQ(parts.reporting.rows + parts.held_out.rows, 6000U);
  std::set<float> people = names(parts.reporting);
  for (const float name : parts.held_out.values) EXPECT_TRUE(people.insert(name).second);
  EXPECT_EQ(people.size(), 6000U);
}

TEST(Protocol, HidesTheNovelClassFromTheMechanismAndAsksForItAlone) {
  Experiment experiment;
  experiment.protocol = Protocol::kNovelClass;
  const Parts parts = parts_of(experiment, {});
  expect_apart(parts);
  EXPECT_EQ(parts.classes, 2);
  for (const Dataset* data : {&parts.auxiliary, &parts.validation})
    for (const float name : data->values) ASSERT_NE(static_cast<std::int64_t>(name) % 10, 9);
  for (const Dataset* data : {&parts.reporting, &parts.held_out, &parts.test}) {
    std::size_t novel = 0;
    for (std::size_t row = 0; row < data->rows; ++row) {
      const bool nine = static_cast<std::int64_t>(data->values[row]) % 10 == 9;
      ASSERT_EQ(data->labels[row], nine ? 1 : 0);
      novel += nine ? 1 : 0;
    }
    // One ninth of 5,400 others beside all 600 nines, and so in the test set: about half.
    EXPECT_NEAR(static_cast<double>(novel) / static_cast<double>(data->rows), 0.5, 0.1);
  }
  EXPECT_EQ(parts.auxiliary.rows, 4800U);
  EXPECT_EQ(parts.reporting.rows + parts.held_out.rows, 1200U);
}

}  // namespace
}  // namespace sotto
