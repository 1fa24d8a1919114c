#include "sotto/mechanism/schema.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sotto {
namespace {

InputSchema image_schema(std::int32_t channels, std::int32_t height, std::int32_t width) {
  return {.image = ImageShape{channels, height, width}, .columns = {}};
}

InputSchema table_schema() {
  return {.image = {},
          .columns = {
              {.name = "age", .kind = Column::Kind::kNumeric, .minimum = 0, .maximum = 120, .categories = {}},
              {.name = "job", .kind = Column::Kind::kCategorical, .categories = {"baker", "smith", "other"}},
          }};
}

// The message of the refusal, or "" when the schema is accepted.
template <typename Schema>
std::string refusal(const Schema& schema) {
  const Status status = schema.validate();
  if (status) return "";
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  return status.error().message;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(InputSchema, AcceptsAnImageAndCountsItsPixels) {
  EXPECT_EQ(refusal(image_schema(1, 28, 28)), "");
  EXPECT_EQ(image_schema(3, 32, 30).width(), 3U * 32U * 30U);
}

TEST(InputSchema, AcceptsATableAndCountsItsColumns) {
  EXPECT_EQ(refusal(table_schema()), "");
  EXPECT_EQ(table_schema().width(), 2U);
}

TEST(InputSchema, RefusesToBeBothOrNeither) {
  InputSchema both = table_schema();
  both.image = ImageShape{1, 2, 2};
  EXPECT_TRUE(contains(refusal(both), "one of them"));
  EXPECT_TRUE(contains(refusal(InputSchema{}), "neither"));
}

TEST(InputSchema, RefusesExtentsBelowOneAndNamesTheShape) {
  EXPECT_TRUE(contains(refusal(image_schema(0, 28, 28)), "0 x 28 x 28"));
  EXPECT_TRUE(contains(refusal(image_schema(1, -5, 28)), "1 x -5 x 28"));
  EXPECT_TRUE(contains(refusal(image_schema(1, 28, 0)), "1 x 28 x 0"));
}

TEST(InputSchema, RefusesImagesTooLargeWithoutOverflowing) {
  EXPECT_EQ(refusal(image_schema(1, 4096, 4096)), "");
  EXPECT_NE(refusal(image_schema(1, 4096, 4097)), "");
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  EXPECT_NE(refusal(image_schema(largest, largest, largest)), "");
  EXPECT_NE(refusal(image_schema(1 << 22, 1 << 22, 1 << 20)), "");  // the product is 2^64
}

TEST(InputSchema, RefusesBoundsThatAreNotAnInterval) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [minimum, maximum] : std::vector<std::pair<double, double>>{
           {1, 1}, {2, 1}, {0, infinity}, {-infinity, 0}, {std::nan(""), 1}, {0, std::nan("")}, {0, 1e39}}) {
    InputSchema schema = table_schema();
    schema.columns[0].minimum = minimum;
    schema.columns[0].maximum = maximum;
    EXPECT_TRUE(contains(refusal(schema), "column 1 ('age')")) << minimum << " " << maximum;
  }
}

TEST(InputSchema, RefusesColumnsWithoutADistinctName) {
  InputSchema schema = table_schema();
  schema.columns[1].name = "age";
  EXPECT_TRUE(contains(refusal(schema), "column 2 ('age')"));
  schema.columns[1].name = "";
  EXPECT_TRUE(contains(refusal(schema), "column 2"));
}

TEST(InputSchema, RefusesCategoriesThatAreFewRepeatedOrOnANumber) {
  InputSchema schema = table_schema();
  schema.columns[1].categories = {"baker"};
  EXPECT_TRUE(contains(refusal(schema), "received 1"));
  schema.columns[1].categories = {"baker", "smith", "baker"};
  EXPECT_TRUE(contains(refusal(schema), "'baker' is named twice"));
  schema = table_schema();
  schema.columns[0].categories = {"young", "old"};
  EXPECT_TRUE(contains(refusal(schema), "numeric"));
}

TEST(LabelSchema, AcceptsTwoDistinctClasses) { EXPECT_EQ(refusal(LabelSchema{"income", {"low", "high"}}), ""); }

TEST(LabelSchema, RefusesAnEmptyNameOneClassOrRepeatedClasses) {
  EXPECT_TRUE(contains(refusal(LabelSchema{"", {"low", "high"}}), "name is empty"));
  EXPECT_TRUE(contains(refusal(LabelSchema{"income", {"low"}}), "received 1"));
  EXPECT_TRUE(contains(refusal(LabelSchema{"income", {"low", "low"}}), "'low' is named twice"));
}

}  // namespace
}  // namespace sotto
