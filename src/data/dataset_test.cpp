#include "sotto/data/dataset.h"

#include "sotto/data/csv.h"
#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

const InputSchema kSchema = {.image = {},
                             .columns = {{.name = "x", .categories = {}}, {.name = "y", .categories = {}}}};

TEST(Load, ReadsASourceToItsEnd) {
  const LabelSchema label = {"c", {"no", "yes"}};
  std::string text = "x,y,c\n";
  constexpr std::size_t kRows = 200'000;  // more than one internal batch
  for (std::size_t i = 0; i < kRows; ++i) text += std::to_string(i) + ",1," + (i % 3 == 0 ? "yes\n" : "no\n");
  auto source = open_csv(stream_of(text), kSchema, label, {}).value_or_throw();
  const Dataset dataset = load(*source).value_or_throw();
  ASSERT_EQ(dataset.rows, kRows);
  ASSERT_EQ(dataset.width, 2U);
  ASSERT_EQ(dataset.values.size(), 2 * kRows);
  ASSERT_EQ(dataset.labels.size(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(dataset.values[2 * i], static_cast<float>(i));
    ASSERT_EQ(dataset.values[2 * i + 1], 1);
    ASSERT_EQ(dataset.labels[i], i % 3 == 0 ? 1 : 0);
  }
}

TEST(Load, GivesNothingOfASourceWithAFault) {
  auto source = open_csv(stream_of("x,y\n1,2\n3,oops\n"), kSchema, {}, {}).value_or_throw();
  EXPECT_TRUE(contains(refusal(load(*source)), "line 3"));
}

TEST(Load, AcceptsASourceWithoutRecords) {
  auto source = open_csv(stream_of("x,y\n"), kSchema, {}, {}).value_or_throw();
  const Dataset dataset = load(*source).value_or_throw();
  EXPECT_EQ(dataset.rows, 0U);
  EXPECT_EQ(dataset.width, 2U);
}

}  // namespace
}  // namespace sotto
