#include "sotto/data/labels.h"

#include <cmath>

#include "sotto/data/array_source.h"
#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

// `count` elements are there, `announced` are in the header.
std::unique_ptr<RecordSource> floats(const std::vector<float>& values, std::uint64_t announced, std::uint64_t width) {
  const auto bytes = std::as_bytes(std::span(values));
  return ArraySource::make(ByteStream::from_bytes({bytes.begin(), bytes.end()}), ElementType::kFloat32,
                           ValueScale::kAsStored, {announced, width})
      .value_or_throw();
}

std::unique_ptr<RecordSource> records(std::uint64_t rows) {
  return floats(std::vector<float>(2 * rows, 0.5F), rows, 2);
}

Outcome join(std::unique_ptr<RecordSource> records, std::unique_ptr<RecordSource> labels, std::size_t class_count,
             std::size_t max_rows) {
  auto source = attach_labels(std::move(records), std::move(labels), class_count).value_or_throw();
  EXPECT_TRUE(source->has_labels());
  EXPECT_EQ(source->width(), 2U);
  return read_all(*source, max_rows);
}

TEST(AttachLabels, PairsRecordsAndLabelsForEveryBatchSize) {
  for (std::size_t max_rows = 1; max_rows <= 7; ++max_rows) {
    const Outcome outcome = join(records(5), floats({0, 1, 2, 1, 0}, 5, 1), 3, max_rows);
    EXPECT_EQ(outcome.fault, "");
    EXPECT_EQ(outcome.rows, 5U);
    EXPECT_EQ(outcome.labels, (std::vector<std::int32_t>{0, 1, 2, 1, 0}));
  }
}

TEST(AttachLabels, RefusesLabelsThatAreNotClassIndicesAndNamesTheRecord) {
  for (const float bad : {3.0F, -1.0F, 0.5F, std::nanf(""), INFINITY}) {
    for (std::size_t max_rows = 1; max_rows <= 4; ++max_rows) {
      const Outcome outcome = join(records(3), floats({1, 2, bad}, 3, 1), 3, max_rows);
      EXPECT_EQ(outcome.rows, 2U);
      EXPECT_EQ(outcome.fault, "labels: the label of record 3 is not a whole number in 0 to 2");
    }
  }
}

TEST(AttachLabels, AllowsEveryExactIndexWhenTheNumberOfClassesIsUnknown) {
  EXPECT_EQ(join(records(1), floats({16777215}, 1, 1), 0, 1).labels, (std::vector<std::int32_t>{16777215}));
  EXPECT_NE(join(records(1), floats({16777216}, 1, 1), 0, 1).fault, "");
}

TEST(AttachLabels, RefusesUnequalLengthsForEveryBatchSize) {
  for (std::size_t max_rows = 1; max_rows <= 7; ++max_rows) {
    const Outcome fewer = join(records(5), floats({0, 1, 2}, 3, 1), 3, max_rows);
    EXPECT_EQ(fewer.rows, 3U);
    EXPECT_EQ(fewer.fault, "labels: there are fewer labels than records, the shorter ends after 3");
    const Outcome more = join(records(3), floats({0, 1, 2, 0, 0}, 5, 1), 3, max_rows);
    EXPECT_EQ(more.rows, 3U);
    EXPECT_EQ(more.fault, "labels: there are more labels than records, the shorter ends after 3");
  }
}

TEST(AttachLabels, ReportsTheFaultOfTheLabelFileItself) {
  for (std::size_t max_rows = 1; max_rows <= 7; ++max_rows) {
    const Outcome outcome = join(records(5), floats({0, 1, 2}, 5, 1), 3, max_rows);
    EXPECT_EQ(outcome.rows, 3U);
    EXPECT_TRUE(contains(outcome.fault, "ends within record 4")) << outcome.fault;
  }
}

TEST(AttachLabels, RefusesALabelSourceWithMoreThanOneValue) {
  EXPECT_TRUE(contains(refusal(attach_labels(records(1), records(1), 2)), "received 2 values"));
}

}  // namespace
}  // namespace sotto
