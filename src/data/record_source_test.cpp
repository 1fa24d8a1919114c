#include "sotto/data/record_source.h"

#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

// Records 0, 1, 2, ... of two equal values, then the end or a fault.
class CountingSource final : public RecordSource {
 public:
  CountingSource(std::size_t rows, bool faulty) : rows_(rows), faulty_(faulty) {}
  std::size_t width() const override { return 2; }
  bool has_labels() const override { return false; }

 private:
  Status fill(Batch& batch, std::size_t max_rows) override {
    batch.values.clear();
    for (; batch.rows < max_rows && next_ < rows_; ++batch.rows, ++next_) {
      batch.values.insert(batch.values.end(), 2, static_cast<float>(next_));
    }
    batch.values.push_back(-1);  // a started record, to be cut off
    if (batch.rows < max_rows && faulty_) return Error{ErrorCode::kInvalidInput, "broken"};
    return {};
  }

  std::size_t rows_;
  bool faulty_;
  std::size_t next_ = 0;
};

TEST(RecordSource, GivesTheSameRecordsForEveryBatchSize) {
  for (std::size_t max_rows = 1; max_rows <= 12; ++max_rows) {
    CountingSource source(10, false);
    const Outcome outcome = read_all(source, max_rows);
    EXPECT_EQ(outcome.rows, 10U);
    EXPECT_EQ(outcome.fault, "");
    for (std::size_t i = 0; i < outcome.values.size(); ++i) EXPECT_EQ(outcome.values[i], static_cast<float>(i / 2));
  }
}

TEST(RecordSource, DeliversTheRecordsBeforeAFaultForEveryBatchSize) {
  for (std::size_t max_rows = 1; max_rows <= 12; ++max_rows) {
    CountingSource source(10, true);
    const Outcome outcome = read_all(source, max_rows);
    EXPECT_EQ(outcome.rows, 10U) << max_rows;
    EXPECT_EQ(outcome.fault, "broken") << max_rows;
  }
}

TEST(RecordSource, RepeatsItsFaultAndEmptiesTheBatch) {
  CountingSource source(0, true);
  for (int i = 0; i < 3; ++i) {
    Batch batch{.values = {1, 2}, .labels = {7}, .rows = 1};
    EXPECT_EQ(refusal(source.read(batch, 4)), "broken");
    EXPECT_EQ(batch.rows, 0U);
    EXPECT_TRUE(batch.values.empty());
    EXPECT_TRUE(batch.labels.empty());
  }
}

TEST(RecordSource, RefusesABatchOfNoRowsAndGoesOn) {
  CountingSource source(3, false);
  Batch batch;
  EXPECT_TRUE(contains(refusal(source.read(batch, 0)), "max_rows: received 0"));
  EXPECT_EQ(read_all(source, 2).rows, 3U);
}

}  // namespace
}  // namespace sotto
