#include "sotto/data/idx.h"

#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xff);
  return text;
}

std::string idx_header(int type, const std::vector<std::uint32_t>& extents) {
  std::string text = {'\0', '\0', static_cast<char>(type), static_cast<char>(extents.size())};
  for (const std::uint32_t extent : extents) text += big_endian(extent);
  return text;
}

std::string small_images() {  // three images of 2 x 2
  std::string text = idx_header(8, {3, 2, 2});
  for (int i = 0; i < 12; ++i) text += static_cast<char>(20 * i);
  return text;
}

Result<std::unique_ptr<ArraySource>> open_text(const std::string& text, ValueScale scale = ValueScale::kPixel) {
  return open_idx(stream_of(text), scale);
}

TEST(Idx, ReadsImagesAsPixels) {
  auto source = open_text(small_images()).value_or_throw();
  EXPECT_EQ(source->shape(), (std::vector<std::uint64_t>{3, 2, 2}));
  EXPECT_EQ(source->width(), 4U);
  EXPECT_FALSE(source->has_labels());
  const Outcome outcome = read_all(*source, 2);
  EXPECT_EQ(outcome.fault, "");
  ASSERT_EQ(outcome.rows, 3U);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(outcome.values[i], static_cast<float>(20 * i) / 255.0F);
}

TEST(Idx, ReadsAListAsWholeNumbers) {
  auto source =
      open_text(idx_header(8, {4}) + std::string("\x05\x00\x09\xff", 4), ValueScale::kAsStored).value_or_throw();
  EXPECT_EQ(source->width(), 1U);
  EXPECT_EQ(read_all(*source, 10).values, (std::vector<float>{5, 0, 9, 255}));
}

TEST(Idx, ReadsTwoAndFourExtentsAsPixels) {
  for (const auto& extents : {std::vector<std::uint32_t>{2, 6}, {2, 3, 1, 2}}) {
    auto source = open_text(idx_header(8, extents) + std::string(12, '\xff')).value_or_throw();
    EXPECT_EQ(read_all(*source, 5).values, std::vector<float>(12, 1.0F));
  }
}

TEST(Idx, RefusesWhatIsNotAnIdxFileOfBytes) {
  EXPECT_TRUE(contains(refusal(open_text("a,b,c\n1,2,3\n")), "not an IDX file"));
  EXPECT_TRUE(contains(refusal(open_text(idx_header(13, {1, 1}) + "abcd")), "type 13"));
  EXPECT_TRUE(contains(refusal(open_text(idx_header(8, {}))), "received 0"));
  EXPECT_TRUE(contains(refusal(open_text(idx_header(8, {1, 1, 1, 1, 1}))), "received 5"));
}

TEST(Idx, RefusesHostileExtents) {
  EXPECT_TRUE(contains(refusal(open_text(idx_header(8, {0xffffffff, 28, 28}))), "4294967295"));
  EXPECT_TRUE(contains(refusal(open_text(idx_header(8, {1, 0x80000000, 1}))), "extent 2"));
  EXPECT_TRUE(contains(refusal(open_text(idx_header(8, {1, 0x7fffffff, 0x7fffffff}))), "too many values"));
  EXPECT_TRUE(contains(refusal(open_text(idx_header(8, {1, 28, 0}))), "no values"));
}

// A file knows its length: any cut is refused at once. A pipe does not: the whole records come out first.
TEST(Idx, RefusesAFileCutAtAnyByte) {
  const ScratchDirectory scratch;
  const std::string whole = small_images();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string path = scratch.write("cut", whole.substr(0, length));
    EXPECT_FALSE(open_idx(ByteStream::open(path).value_or_throw(), ValueScale::kPixel)) << length;
  }
  EXPECT_TRUE(open_idx(ByteStream::open(scratch.write("whole", whole)).value_or_throw(), ValueScale::kPixel));
}

TEST(Idx, DeliversTheWholeRecordsOfAPipeCutAtAnyByte) {
  const std::string whole = small_images();
  const std::size_t header_bytes = 16;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    auto source = open_text(whole.substr(0, length));
    ASSERT_EQ(static_cast<bool>(source), length >= header_bytes) << length;
    if (!source) continue;
    const Outcome outcome = read_all(**source, 2);
    EXPECT_EQ(outcome.rows, (length - header_bytes) / 4);
    EXPECT_TRUE(contains(outcome.fault, "at byte " + std::to_string(length))) << outcome.fault;
  }
}

}  // namespace
}  // namespace sotto
