#include "sotto/train/table_views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sotto {
namespace {

// Every value says which record it is of: two numbers that count the records, up and down, and a category.
constexpr std::size_t kRows = 4000, kCategories = 5, kWidth = 2 + kCategories;

InputSchema schema() {
  return {std::nullopt,
          {{"up", Column::Kind::kNumeric, 0, kRows, {}},
           {"down", Column::Kind::kNumeric, -1.0 * kRows, 0, {}},
           {"kind", Column::Kind::kCategorical, 0, 1, {"a", "b", "c", "d", "e"}}}};
}

Dataset make_counts() {
  Dataset data{kRows, 3, {}, {}};
  for (std::size_t row = 0; row < kRows; ++row)
    data.values.insert(data.values.end(),
                       {static_cast<float>(row), -static_cast<float>(row), static_cast<float>(row % kCategories)});
  return data;
}

std::vector<float> draw(const Dataset& data, float corruption, std::uint64_t seed) {
  const auto views = make_views(data, schema(), {{}, corruption}).value_or_throw();
  EXPECT_EQ(views->width(), kWidth);
  std::vector<std::uint32_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<float> drawn(2 * data.rows * kWidth, -1);
  SeededEntropy entropy(seed);
  views->draw(rows, entropy, drawn);
  return drawn;
}

TEST(TableViews, OneIsTheRecordItself) {
  const Dataset data = make_counts();
  const TableCoding coding = TableCoding::make(data, schema().columns).value_or_throw();
  const auto drawn = draw(data, 0.9F, 1);
  for (std::size_t row = 0; row < kRows; ++row) {
    std::vector<float> record(kWidth, 0);
    for (std::size_t column = 0; column < 3; ++column) coding.write(column, data.values[row * 3 + column], record);
    for (std::size_t i = 0; i < kWidth; ++i) ASSERT_EQ(drawn[row * kWidth + i], record[i]);
  }
}

// 4,000 draws: shares lie within 0.04 of what they should be, 5 standard deviations, all but once in a million runs.
TEST(TableViews, TheOtherBorrowsEachColumnByItselfAsOftenAsAsked) {
  for (const float corruption : {0.2F, 0.6F}) {
    const auto drawn = draw(make_counts(), corruption, 2);
    double up = 0, down = 0, both = 0, from_one = 0, kind = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      const float* whole = drawn.data() + row * kWidth;
      const float* corrupted = whole + kRows * kWidth;
      const bool up_is = corrupted[0] != whole[0], down_is = corrupted[1] != whole[1];
      up += up_is ? 1 : 0;
      down += down_is ? 1 : 0;
      both += up_is && down_is ? 1 : 0;
      from_one += up_is && down_is && std::abs(corrupted[0] + corrupted[1]) < 1e-5F ? 1 : 0;
      float sum = 0;  // a category comes as a whole
      for (std::size_t i = 2; i < kWidth; ++i) sum += corrupted[i];
      ASSERT_EQ(sum, 1);
      kind += std::equal(whole + 2, whole + kWidth, corrupted + 2) ? 0 : 1;
    }
    const double share = static_cast<double>(corruption);
    EXPECT_NEAR(up / kRows, share, 0.04);
    EXPECT_NEAR(down / kRows, share, 0.04);
    EXPECT_NEAR(both / kRows, share * share, 0.04);
    EXPECT_NEAR(kind / kRows, share * 0.8, 0.04);  // one in five borrows the same
    EXPECT_LE(from_one, 20);                       // of 4,000; each column has a lender of its own
  }
}

TEST(TableViews, LendersAreDrawnFromAllRecords) {
  const auto drawn = draw(make_counts(), 0.99F, 3);
  double sum = 0;
  float least = 0, greatest = 0;
  for (std::size_t row = kRows; row < 2 * kRows; ++row) {
    const float value = drawn[row * kWidth];
    sum += static_cast<double>(value);
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  EXPECT_NEAR(sum / kRows, 0, 0.08);  // 5 standard deviations; coded numbers have variance 1
  EXPECT_LT(least, -1.7);             // the ends lie at ±√3
  EXPECT_GT(greatest, 1.7);
}

TEST(TableViews, AreTheSameForTheSameSeedAndOthersForAnother) {
  const Dataset data = make_counts();
  EXPECT_EQ(draw(data, 0.5F, 5), draw(data, 0.5F, 5));
  EXPECT_NE(draw(data, 0.5F, 5), draw(data, 0.5F, 6));
}

TEST(TableViews, RefuseToBorrowNothingOrEverything) {
  const Dataset data = make_counts();
  for (const float odd : {0.0F, 1.0F, -0.1F, 1.1F, std::numeric_limits<float>::quiet_NaN()}) {
    const auto views = make_views(data, schema(), {{}, odd});
    ASSERT_FALSE(views);
    EXPECT_NE(views.error().message.find("corruption: must lie between 0 and 1"), std::string::npos);
  }
  EXPECT_FALSE(make_views(Dataset{4, 2, std::vector<float>(8), {}}, schema(), {}));
}

}  // namespace
}  // namespace sotto
