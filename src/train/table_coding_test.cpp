#include "sotto/train/table_coding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/backprop/random.h"
#include "sotto/backprop/trainable_network.h"

namespace sotto {
namespace {

Column number(const char* name) { return {name, Column::Kind::kNumeric, -1e6, 1e6, {}}; }

Column category(const char* name, std::size_t count) {
  Column column{name, Column::Kind::kCategorical, 0, 1, {}};
  for (std::size_t i = 0; i < count; ++i) column.categories.push_back(std::to_string(i));
  return column;
}

const std::vector<Column> kColumns = {number("income"), category("colour", 3), category("town", 60),
                                      number("constant")};
constexpr std::size_t kCodedWidth = 1 + 3 + 60 + 1;

Dataset make_table(std::size_t rows) {
  SeededEntropy entropy(1);
  Dataset data{rows, kColumns.size(), {}, {}};
  for (std::size_t row = 0; row < rows; ++row)
    data.values.insert(data.values.end(), {20000 + 5000 * draw_standard_normal(entropy), static_cast<float>(row % 3),
                                           static_cast<float>(row % 60), 7});
  return data;
}

std::vector<float> coded(const TableCoding& coding, const Dataset& data) {
  std::vector<float> values(data.rows * coding.width(), 0);
  for (std::size_t i = 0; i < data.values.size(); ++i)
    coding.write(i % data.width, data.values[i],
                 std::span(values).subspan(i / data.width * coding.width(), coding.width()));
  return values;
}

std::vector<float> encode(const Network& network, std::span<const float> records) {
  Network::Workspace workspace;
  const std::size_t count = records.size() / network.input_width();
  std::vector<float> encodings(count * network.output_width());
  network.encode(records, count, encodings, workspace);
  return encodings;
}

Network random_network() {
  const std::vector<std::size_t> hidden = {16};
  TrainableNetwork network = TrainableNetwork::perceptron(kCodedWidth, hidden, 5, Activation::kTanh);
  SeededEntropy entropy(2);
  network.initialise(entropy);
  return network.to_network().value_or_throw();
}

TEST(TableCoding, StandardisesNumbersAndSpreadsCategories) {
  const Dataset data = make_table(600);
  const TableCoding coding = TableCoding::make(data, kColumns).value_or_throw();
  ASSERT_EQ(coding.width(), kCodedWidth);
  const auto values = coded(coding, data);
  double sum = 0, squares = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const auto record = std::span(values).subspan(row * kCodedWidth, kCodedWidth);
    sum += static_cast<double>(record[0]);
    squares += std::pow(static_cast<double>(record[0]), 2);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(record[1 + i], i == row % 3 ? 1 : 0);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(record[4 + i], i == row % 60 ? 1 : 0);
    EXPECT_EQ(record[64], 0);
  }
  EXPECT_NEAR(sum / 600, 0, 1e-5);
  EXPECT_NEAR(squares / 600, 1, 1e-4);
}

TEST(TableCoding, TheNetworkOnRecordsDoesWhatTheOneOnCodedRecordsDid) {
  const Dataset data = make_table(600);
  const TableCoding coding = TableCoding::make(data, kColumns).value_or_throw();
  const Network network = random_network();
  const Network on_records = coding.on_records(network).value_or_throw();
  ASSERT_EQ(on_records.input_width(), kColumns.size());
  const auto expected = encode(network, coded(coding, data)), got = encode(on_records, data.values);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-4) << i;
}

TEST(TableCoding, ANumberBeyondTheAuxiliaryRangeCountsAsItsEnd) {
  const Dataset data = make_table(600);
  float least = data.values[0], greatest = data.values[0];
  for (std::size_t i = 0; i < data.values.size(); i += data.width) {
    least = std::min(least, data.values[i]);
    greatest = std::max(greatest, data.values[i]);
  }
  const Network network =
      TableCoding::make(data, kColumns).value_or_throw().on_records(random_network()).value_or_throw();
  const auto of = [&](float income, float constant) {
    return encode(network, std::vector<float>{income, 2, 5, constant});
  };
  const auto expect_same = [](const std::vector<float>& left, const std::vector<float>& right) {
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-4);
  };
  expect_same(of(least, 7), of(-1e5, 7));
  expect_same(of(greatest, 7), of(1e5, 7));
  expect_same(of(greatest, 7), of(greatest, 1000));
  EXPECT_GT(std::abs(of(least, 7)[0] - of(greatest, 7)[0]), 0.01);
}

TEST(TableCoding, RefusesWhatItCannotCodeWithoutQuotingIt) {
  const auto message = [](std::size_t column, float value) {
    Dataset data = make_table(6);
    data.values[data.width + column] = value;
    const auto made = TableCoding::make(data, kColumns);
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(message(0, -5), "");
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    EXPECT_NE(message(0, bad).find("column income holds missing or infinite values"), std::string::npos);
    EXPECT_NE(message(1, bad).find("column colour holds missing or infinite values"), std::string::npos);
  }
  for (const float bad : {-1.0F, 0.5F, 3.0F})
    EXPECT_NE(message(1, bad).find("column colour holds values that are no index of one of its 3 categories"),
              std::string::npos);
  EXPECT_FALSE(TableCoding::make(Dataset{0, kColumns.size(), {}, {}}, kColumns));
  const TableCoding coding = TableCoding::make(make_table(6), kColumns).value_or_throw();
  EXPECT_FALSE(coding.on_records(Network::make(kCodedWidth, {}).value_or_throw()));
}

}  // namespace
}  // namespace sotto
