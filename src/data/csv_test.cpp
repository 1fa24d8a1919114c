#include "sotto/data/csv.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "sotto/data/fixture_test.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

InputSchema people() {
  return {.image = {},
          .columns = {
              {.name = "age", .kind = Column::Kind::kNumeric, .minimum = 0, .maximum = 120, .categories = {}},
              {.name = "job", .kind = Column::Kind::kCategorical, .categories = {"baker", "smith", "iron, cold"}},
              {.name = "pay", .kind = Column::Kind::kNumeric, .minimum = 0, .maximum = 1e6, .categories = {}},
          }};
}

InputSchema vector_of(std::size_t width) {
  InputSchema schema;
  for (std::size_t i = 0; i < width; ++i) schema.columns.push_back({.name = "x" + std::to_string(i), .categories = {}});
  return schema;
}

const LabelSchema kIncome = {"income", {"low", "high"}};
constexpr CsvOptions kNoHeader = {.header = false};

Outcome read_csv(std::string_view text, const InputSchema& schema, const std::optional<LabelSchema>& label = {},
                 const CsvOptions& options = {}, std::size_t max_rows = 2) {
  auto source = open_csv(stream_of(text), schema, label, options);
  if (!source) return {.values = {}, .labels = {}, .rows = 0, .fault = source.error().message};
  return read_all(**source, max_rows);
}

TEST(CsvReader, ReadsColumnsByName) {
  const Outcome outcome = read_csv("age,job,pay\n30,smith,100.5\n41,baker,-2e3\n", people());
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.values, (std::vector<float>{30, 1, 100.5F, 41, 0, -2000}));
  EXPECT_TRUE(outcome.labels.empty());
}

TEST(CsvReader, FindsColumnsInAnyOrderAndIgnoresOthers) {
  const Outcome outcome =
      read_csv("note,pay,income,job,x,age\nhi,1,high,\"iron, cold\",,7\n,2,low,baker,,8\n", people(), kIncome);
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.values, (std::vector<float>{7, 2, 1, 8, 0, 2}));
  EXPECT_EQ(outcome.labels, (std::vector<std::int32_t>{1, 0}));
}

TEST(CsvReader, TurnsAMissingNumberIntoNan) {
  const Outcome outcome = read_csv("age,job,pay\n,baker,\n", people());
  ASSERT_EQ(outcome.rows, 1U);
  EXPECT_TRUE(std::isnan(outcome.values[0]));
  EXPECT_EQ(outcome.values[1], 0);
  EXPECT_TRUE(std::isnan(outcome.values[2]));
}

TEST(CsvReader, RefusesAnUnknownCategoryAndNamesItsPlaceOnly) {
  for (const char* job : {"pirate", "", "Baker", "\" baker\""}) {
    const Outcome outcome = read_csv("age,job,pay\n1,baker,2\n3," + std::string(job) + ",4\n5,smith,6\n", people());
    EXPECT_EQ(outcome.rows, 1U);
    EXPECT_EQ(outcome.fault, "memory: line 3, column 2 ('job'): not a category of the schema");
  }
}

TEST(CsvReader, TakesAnUnknownCategoryAsMissingWhenAsked) {
  const Outcome outcome =
      read_csv("age,job,pay\n1,pirate,2\n3,smith,4\n", people(), {}, {.unknown_category = UnknownCategory::kMissing});
  ASSERT_EQ(outcome.rows, 2U);
  EXPECT_TRUE(std::isnan(outcome.values[1]));
  EXPECT_EQ(outcome.values[4], 1);
}

TEST(CsvReader, RefusesAnUnknownClassEvenThen) {
  const Outcome outcome = read_csv("age,job,pay,income\n1,smith,2,middling\n", people(), kIncome,
                                   {.unknown_category = UnknownCategory::kMissing});
  EXPECT_EQ(outcome.fault, "memory: line 2, column 4 ('income'): not a class of the label schema");
}

TEST(CsvReader, NamesTheLineOfABadNumber) {
  for (const char* age : {"abc", "1.5x", "0x10", "1 2", "--1", "+-1", "+", "1,5", "1e39", "1e999", "nine"}) {
    const Outcome outcome = read_csv("age,job,pay\n1,baker,2\n\"" + std::string(age) + "\",baker,2\n", people());
    EXPECT_EQ(outcome.rows, 1U) << age;
    EXPECT_EQ(outcome.fault, "memory: line 3, column 1 ('age'): not a number in the range of float") << age;
  }
}

TEST(CsvReader, ReadsTheNumbersPeopleWrite) {
  const Outcome outcome = read_csv("1, +2 ,-.5,1e-3,1E2,007,-0,3.,nan,inf,-inf,1e-60\n", vector_of(12), {}, kNoHeader);
  ASSERT_EQ(outcome.fault, "");
  const std::vector<float> expected = {1, 2, -0.5F, 0.001F, 100, 7, -0.0F, 3};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(outcome.values[i], expected[i]) << i;
  EXPECT_TRUE(std::isnan(outcome.values[8]));
  EXPECT_EQ(outcome.values[9], std::numeric_limits<float>::infinity());
  EXPECT_EQ(outcome.values[10], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(outcome.values[11], 0);
}

TEST(CsvReader, NamesTheLineOfARowWithTheWrongNumberOfFields) {
  EXPECT_EQ(read_csv("age,job,pay\n1,baker\n", people()).fault, "memory: line 2: received 2 fields, expected 3");
  EXPECT_EQ(read_csv("age,job,pay\n1,\"iron, cold\",2,\n", people()).fault,
            "memory: line 2: received 4 fields, expected 3");
}

TEST(CsvReader, RefusesAHeaderThatMissesOrRepeatsAColumn) {
  EXPECT_EQ(read_csv("age,work,pay\n", people()).fault, "memory: header on line 1: column 'job' is missing");
  EXPECT_EQ(read_csv("age,job,pay,job\n", people()).fault, "memory: header on line 1: column 'job' appears twice");
  EXPECT_EQ(read_csv("age,job,pay\n", people(), kIncome).fault, "memory: header on line 1: column 'income' is missing");
  EXPECT_EQ(read_csv("", people()).fault, "memory: the header line is missing");
  EXPECT_EQ(read_csv("x,x,age,job,pay\n", people()).fault, "");  // of no concern when nobody reads it
}

TEST(CsvReader, AcceptsATableWithoutRecords) {
  const Outcome outcome = read_csv("age,job,pay\n", people());
  EXPECT_EQ(outcome.rows, 0U);
  EXPECT_EQ(outcome.fault, "");
}

TEST(CsvReader, ReadsHeaderlessRowsInTheOrderOfTheSchema) {
  const Outcome outcome = read_csv("30,smith,100,low\n41,baker,200,high\n", people(), kIncome, kNoHeader);
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.values, (std::vector<float>{30, 1, 100, 41, 0, 200}));
  EXPECT_EQ(outcome.labels, (std::vector<std::int32_t>{0, 1}));
}

TEST(CsvReader, ReadsImagesWithoutAHeader) {
  const InputSchema image = {.image = ImageShape{1, 2, 2}, .columns = {}};
  const LabelSchema digit = {"digit", {"0", "1", "2"}};
  const Outcome outcome = read_csv("0,0.5,1,0.25,2\n1,,0,0,0\n", image, digit);
  EXPECT_EQ(outcome.fault, "");
  ASSERT_EQ(outcome.rows, 2U);
  EXPECT_EQ(std::vector<float>(outcome.values.begin(), outcome.values.begin() + 4),
            (std::vector<float>{0, 0.5F, 1, 0.25F}));
  EXPECT_TRUE(std::isnan(outcome.values[5]));
  EXPECT_EQ(outcome.labels, (std::vector<std::int32_t>{2, 0}));
}

TEST(CsvReader, RefusesPixelsOutsideOfTheUnitInterval) {
  const InputSchema image = {.image = ImageShape{1, 1, 2}, .columns = {}};
  EXPECT_EQ(read_csv("0,1\n0,255\n", image).fault, "memory: line 2, column 2: a pixel outside of [0, 1]");
  EXPECT_EQ(read_csv("-0.1,1\n", image).fault, "memory: line 1, column 1: a pixel outside of [0, 1]");
}

TEST(CsvReader, RefusesSchemasThatAreWrongOrCollide) {
  const LabelSchema age = {"age", {"young", "old"}};
  EXPECT_TRUE(contains(read_csv("age,job,pay\n", people(), age).fault, "label 'age'"));
  EXPECT_TRUE(contains(read_csv("a\n", InputSchema{}).fault, "neither"));
  EXPECT_TRUE(contains(read_csv("a\n", people(), LabelSchema{"x", {"one"}}).fault, "received 1"));
}

// Whatever is wrong with a file, the message must not carry what the file says.
TEST(CsvReader, NeverQuotesTheContentInAnError) {
  const std::string secret = "s3cr3t";
  for (const std::string row : {"s3cr3t,baker,1", "1,s3cr3t,1", "1,baker,s3cr3t", "1,baker,1,s3cr3t", "1,\"s3cr3t\"x,1",
                                "1,s3cr3t\"x,1", "1,\"s3cr3t", "1,s3cr3t\rx,1"}) {
    const Outcome outcome = read_csv("age,job,pay\n" + row + "\n", people());
    EXPECT_NE(outcome.fault, "") << row;
    EXPECT_FALSE(contains(outcome.fault, secret)) << outcome.fault;
  }
  EXPECT_FALSE(contains(read_csv("s3cr3t,job,pay\n", people()).fault, secret));  // the header may be a record
  EXPECT_FALSE(contains(read_csv("1,smith,2,s3cr3t\n", people(), kIncome, kNoHeader).fault, secret));
}

TEST(CsvReader, GivesTheSameOutcomeForEveryBatchSize) {
  const std::string text = "age,job,pay,income\n1,baker,2,low\n3,smith,4,high\n5,baker,6,low\n7,oops,8,high\n";
  const Outcome expected = read_csv(text, people(), kIncome, {}, 1);
  EXPECT_EQ(expected.rows, 3U);
  for (std::size_t max_rows = 2; max_rows <= 6; ++max_rows) {
    const Outcome outcome = read_csv(text, people(), kIncome, {}, max_rows);
    EXPECT_EQ(outcome.values, expected.values);
    EXPECT_EQ(outcome.labels, expected.labels);
    EXPECT_EQ(outcome.fault, expected.fault);
  }
}

// Cutting a file short may shorten the last number, never corrupt a row before it or yield a row that is not there.
TEST(CsvReader, SurvivesBeingCutAtAnyByte) {
  const std::string whole = "age,job,pay\r\n1,\"iron, cold\",2\r\n3,smith,4\r\n";
  const Outcome expected = read_csv(whole, people());
  const std::set<std::size_t> harmless = {11, 13, 28, 29, 31, 39, 40};  // after a line, or in its last field
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Outcome outcome = read_csv(whole.substr(0, length), people());
    ASSERT_LE(outcome.rows, expected.rows) << length;
    for (std::size_t i = 0; i + 1 < outcome.values.size(); ++i) EXPECT_EQ(outcome.values[i], expected.values[i]);
    EXPECT_EQ(outcome.fault.empty(), harmless.contains(length)) << length << " " << outcome.fault;
  }
}

// Property: each finite float, written with nine digits, is read back as itself.
TEST(CsvReader, ReadsBackRandomFloatsExactly) {
  SeededEntropy entropy(3);
  std::string text;
  std::vector<float> expected;
  while (expected.size() < 20'000) {
    const auto bits = entropy.take<std::uint32_t>();
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    expected.push_back(value);
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific, 8).ptr;
    text.append(digits, end);
    text += expected.size() % 4 == 0 ? '\n' : ',';
  }
  const Outcome outcome = read_csv(text, vector_of(4), {}, kNoHeader, 1000);
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.values, expected);
}

}  // namespace
}  // namespace sotto
