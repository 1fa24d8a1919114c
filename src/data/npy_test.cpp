#include "sotto/data/npy.h"

#include <cstring>

#include "sotto/data/fixture_test.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

std::string npy_file(int major, const std::string& dictionary, const std::string& body) {
  std::string text = "\x93NUMPY";
  text += {static_cast<char>(major), '\0'};
  for (std::size_t i = 0; i < (major == 1 ? 2U : 4U); ++i) text += static_cast<char>(dictionary.size() >> (8 * i));
  return text + dictionary + body;
}

std::string small_file(int major = 1) {  // three records of 2 x 2 bytes
  return npy_file(major, "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2, 2), }\n", "abcdefghijkl");
}

std::vector<std::byte> content_of(const std::filesystem::path& path) {
  ByteStream stream = ByteStream::open(path.string()).value_or_throw();
  const auto bytes = stream.peek(ByteStream::kBufferBytes).value_or_throw();
  return {bytes.begin(), bytes.end()};
}

TEST(Npy, ReadsAllThreeFormatVersions) {
  for (const int major : {1, 2, 3}) {
    auto source = open_npy(stream_of(small_file(major)), ValueScale::kAsStored).value_or_throw();
    EXPECT_EQ(source->shape(), (std::vector<std::uint64_t>{3, 2, 2}));
    const Outcome outcome = read_all(*source, 2);
    EXPECT_EQ(outcome.fault, "");
    EXPECT_EQ(outcome.values, (std::vector<float>{97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108}));
  }
}

TEST(Npy, ScalesBytesOnlyWhenTheyArePixels) {
  auto source = open_npy(stream_of(small_file()), ValueScale::kPixel).value_or_throw();
  EXPECT_EQ(read_all(*source, 2).values[0], 97 / 255.0F);
}

TEST(Npy, RefusesWhatIsNotAnNpyFile) {
  const auto open = [](const std::string& text) { return open_npy(stream_of(text), ValueScale::kAsStored); };
  EXPECT_TRUE(contains(refusal(open("1,2,3\n")), "not an NPY file"));
  EXPECT_TRUE(contains(refusal(open("\x93NUMPZ\x01")), "not an NPY file"));
  EXPECT_TRUE(contains(refusal(open(small_file(4))), "NPY format 4.0"));
  EXPECT_TRUE(contains(refusal(open(npy_file(1, "{'descr'", "abc"))), "memory: NPY header"));
  EXPECT_TRUE(contains(refusal(open(npy_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "abcd"))),
                       "no extents"));
}

TEST(Npy, RefusesAHostileHeaderLengthWithoutWaitingForIt) {
  const std::string text = std::string("\x93NUMPY\x02\x00", 8) + "\xff\xff\xff\xff" + std::string(100, ' ');
  EXPECT_TRUE(contains(refusal(open_npy(stream_of(text), ValueScale::kAsStored)), "received 4294967295 bytes"));
}

TEST(Npy, RefusesAFileCutAtAnyByte) {
  const ScratchDirectory scratch;
  for (const int major : {1, 2}) {
    const std::string whole = small_file(major);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const std::string path = scratch.write("cut", whole.substr(0, length));
      EXPECT_FALSE(open_npy(ByteStream::open(path).value_or_throw(), ValueScale::kAsStored)) << length;
    }
    EXPECT_TRUE(open_npy(ByteStream::open(scratch.write("whole", whole)).value_or_throw(), ValueScale::kAsStored));
  }
}

TEST(Npy, DeliversTheWholeRecordsOfAPipeCutAtAnyByte) {
  const std::string whole = small_file();
  const std::size_t header_bytes = whole.size() - 12;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    auto source = open_npy(stream_of(whole.substr(0, length)), ValueScale::kAsStored);
    ASSERT_EQ(static_cast<bool>(source), length >= header_bytes) << length;
    if (!source) continue;
    const Outcome outcome = read_all(**source, 5);
    EXPECT_EQ(outcome.rows, (length - header_bytes) / 4);
    EXPECT_TRUE(contains(outcome.fault, "at byte " + std::to_string(length))) << outcome.fault;
  }
}

// Property: whatever is written is read back bit by bit. Random shapes and bit patterns, NaN among them.
TEST(WriteNpy, IsReadBackExactlyForRandomShapesAndValues) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch.path() / "array.npy";
  SeededEntropy entropy(1);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rows = uniform_below(20, entropy), width = 1 + uniform_below(30, entropy);
    std::vector<float> values(rows * width);
    for (float& value : values) {
      const auto bits = entropy.take<std::uint32_t>();
      std::memcpy(&value, &bits, sizeof value);
    }
    ASSERT_TRUE(write_npy(path, values, width));
    auto source = open_npy(ByteStream::open(path.string()).value_or_throw(), ValueScale::kAsStored).value_or_throw();
    EXPECT_EQ(source->shape(), (std::vector<std::uint64_t>{rows, width}));
    const Outcome outcome = read_all(*source, 1 + uniform_below(10, entropy));
    ASSERT_EQ(outcome.values.size(), values.size());
    EXPECT_TRUE(values.empty() || std::memcmp(outcome.values.data(), values.data(), 4 * values.size()) == 0);
  }
}

TEST(WriteNpy, WritesLabelsAsOneExtentOfIntegers) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch.path() / "labels.npy";
  ASSERT_TRUE(write_npy(path, std::vector<std::int32_t>{3, 0, 7}));
  auto source = open_npy(ByteStream::open(path.string()).value_or_throw(), ValueScale::kAsStored).value_or_throw();
  EXPECT_EQ(source->element(), ElementType::kInt32);
  EXPECT_EQ(source->shape(), (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(read_all(*source, 5).values, (std::vector<float>{3, 0, 7}));
}

// Format 1.0 of the NPY description: magic, version, length, dictionary, spaces to a multiple of 64, line feed, data.
TEST(WriteNpy, LaysOutTheBytesAsTheFormatPrescribes) {
  const ScratchDirectory scratch;
  ASSERT_TRUE(write_npy(scratch.path() / "a.npy", std::vector<float>{1, 2}, 2));
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  expected += std::string(127 - expected.size(), ' ') + "\n";
  expected += std::string("\x00\x00\x80\x3f\x00\x00\x00\x40", 8);
  EXPECT_EQ(content_of(scratch.path() / "a.npy"), bytes_of(expected));
}

TEST(WriteNpy, HasAHeaderOfOneLengthWhateverTheShape) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  for (const std::string& header :
       {npy_records_header(0, 1), npy_records_header(kMost, kMost), npy_labels_header(0), npy_labels_header(kMost)}) {
    EXPECT_EQ(header.size(), kNpyHeaderBytes);
    EXPECT_TRUE(contains(header, "), } ") || contains(header, "), }\n")) << header;
    EXPECT_EQ(header.back(), '\n');
  }
}

TEST(WriteNpy, RefusesAWidthThatDoesNotDivide) {
  const ScratchDirectory scratch;
  for (const std::size_t width : {0U, 2U}) {
    const Status status = write_npy(scratch.path() / "a.npy", std::vector<float>{1, 2, 3}, width);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "a.npy"));
  }
}

}  // namespace
}  // namespace sotto
