#include "sotto/mechanism/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace sotto {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// A file with this header and a body of so many zero bytes.
std::vector<std::byte> file_with(std::string_view header, std::size_t body_bytes) {
  std::string file;
  for (int byte = 0; byte < 8; ++byte) file += static_cast<char>(header.size() >> (8 * byte));
  return bytes_of(file + std::string(header) + std::string(body_bytes, '\0'));
}

std::string refusal(const std::vector<std::byte>& file) {
  const auto content = read_safetensors(file);
  if (content) return "";
  EXPECT_EQ(content.error().code, ErrorCode::kCorruptFile);
  return content.error().message;
}

::testing::AssertionResult is_refused_with(const std::vector<std::byte>& file, std::string_view words) {
  const std::string message = refusal(file);
  if (message.find(words) != std::string::npos && !message.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "expected '" << words << "', got '" << message << "'";
}

std::string entry(std::string_view shape, std::string_view offsets) {
  return R"({"dtype":"F32","shape":)" + std::string(shape) + R"(,"data_offsets":)" + std::string(offsets) + "}";
}

Safetensors sample() {
  return {{{"author", "someone"}, {"language", "Ελληνικά \"\\\n"}},
          {{"w", {{2, 3}, {1, -2, 0.5F, 0, -0.0F, 1e-40F}}}, {"b", {{2}, {3, 4}}}, {"nothing", {{0, 7}, {}}}}};
}

void expect_equal(const Safetensors& a, const Safetensors& b) {
  EXPECT_EQ(a.metadata, b.metadata);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    ASSERT_TRUE(b.tensors.contains(name));
    EXPECT_EQ(tensor.shape, b.tensors.at(name).shape);
    EXPECT_EQ(bytes_of({reinterpret_cast<const char*>(tensor.values.data()), 4 * tensor.values.size()}),
              bytes_of({reinterpret_cast<const char*>(b.tensors.at(name).values.data()),
                        4 * b.tensors.at(name).values.size()}));
  }
}

TEST(Safetensors, ReadsBackWhatItWroteBitForBit) {
  Safetensors content = sample();
  content.tensors["scalar"] = {{}, {std::numeric_limits<float>::quiet_NaN()}};
  content.tensors["deep"] = {{1, 1, 2, 1, 1, 1, 1, 1}, {std::numeric_limits<float>::infinity(), 7}};
  const auto read = read_safetensors(write_safetensors(content));
  ASSERT_TRUE(read) << read.error().message;
  expect_equal(content, *read);
  expect_equal({}, read_safetensors(write_safetensors({})).value_or_throw());
}

TEST(Safetensors, WritesTheSameBytesForTheSameContentAndOthersForOther) {
  EXPECT_EQ(write_safetensors(sample()), write_safetensors(sample()));
  Safetensors other = sample();
  other.tensors["w"].values[4] = 0;  // was −0
  EXPECT_NE(write_safetensors(sample()), write_safetensors(other));
}

TEST(Safetensors, AlignsTheTensorsToEightBytes) {
  for (std::size_t length = 0; length < 16; ++length) {
    const auto bytes = write_safetensors({{{"k", std::string(length, 'x')}}, {{"t", {{1}, {1}}}}});
    EXPECT_EQ((bytes.size() - 4) % 8, 0U);
  }
}

// Put together by hand from the published description: length, JSON in another order and spacing than ours, data.
TEST(Safetensors, ReadsAFileThatAnotherProgramWrote) {
  std::string file("\x71\0\0\0\0\0\0\0", 8);
  file += R"({"b":{"shape":[1],"data_offsets":[8,12],"dtype":"F32"}, )";
  file += R"("a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}  )";
  file += std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x20\x3e", 12);  // 1, −2, 0.15625
  const auto read = read_safetensors(bytes_of(file));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->metadata.empty());
  EXPECT_EQ(read->tensors.at("a").shape, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(read->tensors.at("a").values, (std::vector<float>{1, -2}));
  EXPECT_EQ(read->tensors.at("b").shape, (std::vector<std::size_t>{1}));
  EXPECT_EQ(read->tensors.at("b").values, (std::vector<float>{0.15625F}));
}

TEST(Safetensors, RefusesAFileCutAnywhere) {
  const auto bytes = write_safetensors(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(refusal({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}), "") << length;
}

TEST(Safetensors, RefusesAFileWithBytesLeftOver) {
  auto bytes = write_safetensors(sample());
  bytes.push_back(std::byte{0});
  EXPECT_TRUE(is_refused_with(bytes, "left over"));
}

TEST(Safetensors, TakesAnyOtherByteAsAnErrorOrAsOtherContent) {
  const auto bytes = write_safetensors({{{"k", "v"}}, {{"t", {{1, 2}, {1, 2}}}}});
  std::size_t read_as_other = 0;
  for (std::size_t position = 0; position < bytes.size(); ++position) {
    for (int value = 0; value < 256; ++value) {
      auto changed = bytes;
      changed[position] = std::byte(value);
      if (changed == bytes) continue;
      const auto content = read_safetensors(changed);
      if (!content) {
        EXPECT_EQ(content.error().code, ErrorCode::kCorruptFile);
        continue;
      }
      ++read_as_other;
      for (const auto& [name, tensor] : content->tensors) {
        std::size_t elements = 1;
        for (const std::size_t extent : tensor.shape) elements *= extent;
        EXPECT_EQ(tensor.values.size(), elements) << "byte " << position << " = " << value;
      }
    }
  }
  EXPECT_GT(read_as_other, 8U * 255U);  // at least: any change of the eight bytes of data
}

TEST(Safetensors, RefusesOffsetsThatLeaveTheFileOverlapOrLeaveAGap) {
  const auto two = [](const char* first, const char* second) {
    return R"({"a":)" + entry("[1]", first) + R"(,"b":)" + entry("[1]", second) + "}";
  };
  EXPECT_EQ(refusal(file_with(two("[0,4]", "[4,8]"), 8)), "");
  EXPECT_EQ(refusal(file_with(two("[4,8]", "[0,4]"), 8)), "");
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[0,4]"), 8), "overlap"));
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[2,6]"), 8), "overlap"));
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[0,4]"), 4), "overlap"));
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[8,12]"), 12), "gap"));
  EXPECT_TRUE(is_refused_with(file_with(two("[4,8]", "[8,12]"), 12), "gap"));
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[4,8]"), 4), "out of range"));
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[4,8]"), 7), "out of range"));
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[8,4]"), 8), "disagree"));
  EXPECT_TRUE(is_refused_with(file_with(two("[0,4]", "[4,18446744073709551615]"), 8), "out of range"));
}

TEST(Safetensors, RefusesShapesThatDisagreeWithTheDataEvenWhenTheirProductOverflows) {
  const auto one = [](std::string_view shape) { return file_with(R"({"a":)" + entry(shape, "[0,8]") + "}", 8); };
  EXPECT_EQ(refusal(one("[2]")), "");
  EXPECT_EQ(refusal(one("[1,2,1]")), "");
  EXPECT_TRUE(is_refused_with(one("[1]"), "disagree"));
  EXPECT_TRUE(is_refused_with(one("[]"), "disagree"));
  EXPECT_TRUE(is_refused_with(one("[0]"), "disagree"));
  EXPECT_TRUE(is_refused_with(one("[3]"), "disagree"));
  EXPECT_TRUE(is_refused_with(one("[4294967296,4294967296,2]"), "out of range"));  // 2 modulo 2^64
  EXPECT_TRUE(is_refused_with(one("[8,8,8]"), "larger than the file"));
  EXPECT_TRUE(is_refused_with(one("[18446744073709551616]"), "out of range"));  // too large for an integer: a float
  EXPECT_TRUE(is_refused_with(one("[1,1,1,1,1,1,1,1,2]"), "malformed"));
}

TEST(Safetensors, RefusesSizesThatAreNotWholeNumbers) {
  for (const char* size : {"-2", "2.0", "2e0", "\"2\"", "null", "[2]", "true"}) {
    const std::string shape = "[" + std::string(size) + "]";
    EXPECT_TRUE(is_refused_with(file_with(R"({"a":)" + entry(shape, "[0,8]") + "}", 8), "out of range")) << size;
    const std::string offsets = "[0," + std::string(size) + "]";
    EXPECT_TRUE(is_refused_with(file_with(R"({"a":)" + entry("[0]", offsets) + "}", 2), "out of range")) << size;
  }
}

TEST(Safetensors, RefusesEntriesThatAreNotDescribedAsTheFormatSays) {
  for (const char* header :
       {R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,4]}})",
        R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})", R"({"a":{"shape":[1],"data_offsets":[0,4]}})",
        R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", R"({"a":{"dtype":"F32","shape":[1]}})",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})",
        R"({"a":{"dtype":"F32","shape":1,"data_offsets":[0,4]}})",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":4}})",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})", R"({"a":[]})", R"({"a":null})"})
    EXPECT_TRUE(is_refused_with(file_with(header, 4), "a tensor")) << header;
}

TEST(Safetensors, RefusesMetadataThatIsNotText) {
  EXPECT_EQ(refusal(file_with(R"({"__metadata__":{}})", 0)), "");
  EXPECT_TRUE(is_refused_with(file_with(R"({"__metadata__":[]})", 0), "not an object"));
  for (const char* value : {"1", "null", "{}", "[\"a\"]", "true"})
    EXPECT_TRUE(is_refused_with(file_with(R"({"__metadata__":{"k":)" + std::string(value) + "}}", 0), "than text"));
}

TEST(Safetensors, RefusesAHeaderThatIsNotOneJsonObject) {
  for (const char* header : {"", " ", "[]", "1", "\"a\"", "null", "{", "{}}", "{} {}", "{\"a\"}", "{'a':1}", "\xff{}",
                             "{\"\xff\":1}", "{\"a\":1e400}", "{\"a\":nan}", "// comment\n{}"})
    EXPECT_NE(refusal(file_with(header, 0)), "") << header;
  EXPECT_EQ(refusal(file_with("{} \n\t", 0)), "");
}

TEST(Safetensors, RefusesAHeaderLongerThanTheFile) {
  auto file = file_with("{}", 0);
  file[0] = std::byte{3};
  EXPECT_TRUE(is_refused_with(file, "header length"));
  for (std::size_t byte = 0; byte < 8; ++byte) file[byte] = std::byte{0xff};
  EXPECT_TRUE(is_refused_with(file, "header length"));
  EXPECT_TRUE(is_refused_with(file_with(std::string((1 << 24) + 1, ' '), 0), "header length"));
}

// Parsers differ over which of the two counts, so that a reviewer and a device might see different mechanisms.
TEST(Safetensors, RefusesAKeyThatIsGivenTwice) {
  EXPECT_TRUE(is_refused_with(
      file_with(R"({"a":)" + entry("[1]", "[0,4]") + R"(,"a":)" + entry("[1]", "[0,4]") + "}", 4), "twice"));
  EXPECT_TRUE(is_refused_with(file_with(R"({"__metadata__":{"k":"1","k":"2"}})", 0), "twice"));
  EXPECT_TRUE(is_refused_with(file_with(R"({"__metadata__":{"k":"1","\u006b":"2"}})", 0), "twice"));
  EXPECT_TRUE(is_refused_with(file_with(R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4),
                              "twice"));
  EXPECT_EQ(refusal(file_with(R"({"__metadata__":{"shape":"1"},"a":)" + entry("[1]", "[0,4]") + "}", 4)), "");
}

TEST(Safetensors, SurvivesBracketsWithoutEnd) {
  for (const std::size_t depth : {std::size_t{100}, std::size_t{100'000}, std::size_t{4'000'000}}) {
    const std::string open(depth, '[');
    const std::string nested = open + std::string(depth, ']');
    std::string objects;
    for (std::size_t i = 0; i < depth; ++i) objects += "{\"\":";
    for (const std::string& header :
         {open, nested, objects, R"({"a":)" + nested + "}", R"({"__metadata__":{"k":)" + nested + "}}",
          R"({"a":)" + entry(nested, "[0,4]") + "}", R"({"a":)" + entry("[1]", nested) + "}",
          R"({"a":{"dtype":)" + nested + R"(,"shape":[1],"data_offsets":[0,4]}})"})
      EXPECT_NE(refusal(file_with(header, 4)), "");
  }
}

}  // namespace
}  // namespace sotto
