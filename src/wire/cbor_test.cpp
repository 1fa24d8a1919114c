#include "sotto/wire/cbor.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sotto {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string head(CborMajor major, std::uint64_t argument) {
  std::string out;
  append_cbor_head(major, argument, out);
  return out;
}

// The arguments at which the shortest form gets longer, with the size of the head there.
const std::vector<std::pair<std::uint64_t, std::size_t>> kSizes = {
    {0, 1},      {23, 1},      {24, 2},         {0xFF, 2},        {0x100, 3},
    {0xFFFF, 3}, {0x10000, 5}, {0xFFFFFFFF, 5}, {0x100000000, 9}, {std::numeric_limits<std::uint64_t>::max(), 9}};

TEST(Cbor, WritesTheHeadsOfTheStandard) {
  EXPECT_EQ(head(CborMajor::kMap, 3), "\xa3");
  EXPECT_EQ(head(CborMajor::kBytes, 32), "\x58\x20");
  EXPECT_EQ(head(CborMajor::kText, 500), "\x79\x01\xf4");
  EXPECT_EQ(head(CborMajor::kText, 1'000'000), std::string("\x7a\x00\x0f\x42\x40", 5));
}

TEST(Cbor, ReadsEveryHeadThatItWroteAndNoneThatIsCutOff) {
  for (const auto& [argument, size] : kSizes) {
    const std::string written = head(CborMajor::kBytes, argument);
    EXPECT_EQ(written.size(), size);
    CborReader reader(bytes_of(written));
    EXPECT_EQ(reader.head(CborMajor::kBytes), argument);
    EXPECT_TRUE(reader.at_end());
    for (std::size_t length = 0; length < size; ++length)
      EXPECT_FALSE(CborReader(bytes_of(written).first(length)).head(CborMajor::kBytes));
  }
}

TEST(Cbor, RefusesHeadsThatCouldBeShorterOrHaveNoLength) {
  for (const std::string& longer :
       {std::string("\x58\x17", 2), std::string("\x59\x00\xff", 3), std::string("\x5a\x00\x00\xff\xff", 5),
        std::string("\x5b\x00\x00\x00\x00\xff\xff\xff\xff", 9), std::string("\x5c"), std::string("\x5f")})
    EXPECT_FALSE(CborReader(bytes_of(longer + std::string(300, '\0'))).head(CborMajor::kBytes));
}

TEST(Cbor, RefusesItemsOfAnotherKindAndContentBeyondTheEnd) {
  const std::string item =
      "\x63"
      "abc";
  EXPECT_EQ(CborReader(bytes_of(item)).text(), "abc");
  EXPECT_FALSE(CborReader(bytes_of(item)).bytes());
  EXPECT_FALSE(CborReader(bytes_of(item)).head(CborMajor::kMap));
  for (std::size_t length = 0; length < item.size(); ++length)
    EXPECT_FALSE(CborReader(bytes_of(item).first(length)).text());
  EXPECT_FALSE(CborReader(bytes_of(head(CborMajor::kText, std::numeric_limits<std::uint64_t>::max()))).text());
}

}  // namespace
}  // namespace sotto
