#include "sotto/train/code_assignment.h"

#include <gtest/gtest.h>

#include <set>

#include "sotto/data/blobs_test.h"

namespace sotto {
namespace {

TEST(CodeAssignment, GivesEveryBlobACodeOfItsOwnByEveryMethod) {
  const Dataset blobs = make_blobs(400, 1);
  for (const CodeMethod method :
       {CodeMethod::kSpherical, CodeMethod::kBalanced, CodeMethod::kMixture, CodeMethod::kResidual}) {
    SCOPED_TRACE(name_of(method));
    const auto codes = assign_codes(blobs.values, blobs.width, {.codes = 4, .method = method}).value_or_throw();
    EXPECT_EQ(codes.count, 4U);
    for (std::size_t row = 0; row < blobs.rows; ++row)
      ASSERT_EQ(codes.code_of_record[row], codes.code_of_record[row % 4]) << row;
    EXPECT_EQ(codes.sizes(), std::vector<std::size_t>(4, 100));
    EXPECT_EQ(code_method_named(name_of(method)).value_or_throw(), method);
  }
}

// Four kinds, each bright or dark in a feature that they share: two codes after one another tell all eight.
TEST(CodeAssignment, SecondCodesSayWhatIsLeftOfTheFirst) {
  Dataset blobs = make_blobs(400, 1);
  std::vector<float> features;
  for (std::size_t row = 0; row < blobs.rows; ++row) {
    const auto record = std::span(blobs.values).subspan(row * blobs.width, blobs.width);
    features.insert(features.end(), record.begin(), record.end());
    features.push_back(row / 4 % 2 == 0 ? 0.8F : 0.0F);
  }
  const auto codes =
      assign_codes(features, blobs.width + 1, {.codes = 8, .method = CodeMethod::kResidual, .second_codes = 2})
          .value_or_throw();
  std::set<std::uint32_t> used;
  for (std::size_t row = 0; row < blobs.rows; ++row) {
    ASSERT_EQ(codes.code_of_record[row], codes.code_of_record[row % 8]) << row;
    used.insert(codes.code_of_record[row]);
  }
  EXPECT_EQ(used.size(), 8U);
}

TEST(CodeAssignment, NamesWhatIsWrong) {
  const Dataset blobs = make_blobs(40, 1);
  EXPECT_FALSE(assign_codes(blobs.values, blobs.width, {.codes = 1}));
  EXPECT_FALSE(assign_codes(blobs.values, blobs.width, {.codes = 41}));
  EXPECT_FALSE(
      assign_codes(blobs.values, blobs.width, {.codes = 8, .method = CodeMethod::kResidual, .second_codes = 3}));
  EXPECT_FALSE(
      assign_codes(blobs.values, blobs.width, {.codes = 8, .method = CodeMethod::kResidual, .second_codes = 0}));
  EXPECT_FALSE(code_method_named("guess"));
}

}  // namespace
}  // namespace sotto
