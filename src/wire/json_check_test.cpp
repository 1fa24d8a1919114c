#include "sotto/wire/json_check.h"

#include <gtest/gtest.h>

#include <string>

namespace sotto {
namespace {

std::string fault_of(std::string_view text) {
  const Status status = check_json(text);
  if (status) return "";
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidInput);
  return status.error().message;
}

TEST(CheckJson, AcceptsOneWellFormedValue) {
  for (const char* text : {"{}", "[]", "1", "-0.5e-3", "\"a\"", "null", " [1, {\"a\": [true, false]}, \"\\u00e9\"]\n"})
    EXPECT_EQ(fault_of(text), "") << text;
}

TEST(CheckJson, RefusesWhatIsNotJson) {
  for (const char* text : {"", " ", "{", "{]", "{} {}", "[1,]", "{\"a\"}", "{a:1}", "nan", "1e999", "\"\xff\"", "// a"})
    EXPECT_EQ(fault_of(text), "not valid JSON") << text;
}

TEST(CheckJson, RefusesAKeyNamedTwiceInOneObject) {
  EXPECT_EQ(fault_of(R"({"a":1,"b":2,"a":1})"), "a key is named twice");
  EXPECT_EQ(fault_of(R"({"a":1,"\u0061":2})"), "a key is named twice");
  EXPECT_EQ(fault_of(R"([{"b":{"a":1,"a":2}}])"), "a key is named twice");
  EXPECT_EQ(fault_of(R"({"":1,"":2})"), "a key is named twice");
  EXPECT_EQ(fault_of(R"([{"a":1},{"a":2},{"b":{"a":3}},{"a":{"a":{"a":4}}}])"), "");
}

TEST(CheckJson, RefusesBracketsNestedMoreThanSixteenDeep) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(fault_of(nested(16)), "");
  EXPECT_EQ(fault_of(nested(17)), "brackets are nested more than 16 deep");
  EXPECT_EQ(fault_of(nested(1'000'000)), "brackets are nested more than 16 deep");
  EXPECT_EQ(fault_of("[" + nested(15) + nested(15)), "not valid JSON");
}

}  // namespace
}  // namespace sotto
