#include "sotto/data/array_source.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

template <typename T>
ByteStream stream_of_elements(const std::vector<T>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return ByteStream::from_bytes({bytes.begin(), bytes.end()});
}

template <typename T>
Outcome read_elements(const std::vector<T>& elements, ElementType element, ValueScale scale,
                      std::vector<std::uint64_t> shape, std::size_t max_rows = 3) {
  auto source = ArraySource::make(stream_of_elements(elements), element, scale, std::move(shape)).value_or_throw();
  return read_all(*source, max_rows);
}

TEST(ArraySource, ConvertsEveryElementType) {
  const std::vector<float> expected = {0, 1, 2, 100, 127, 3};
  const auto check = [&]<typename T>(T, ElementType element) {
    const std::vector<T> elements(expected.begin(), expected.end());
    const Outcome outcome = read_elements(elements, element, ValueScale::kAsStored, {3, 2}, 2);
    EXPECT_EQ(outcome.values, expected);
    EXPECT_EQ(outcome.rows, 3U);
    EXPECT_EQ(outcome.fault, "");
  };
  check(std::uint8_t{}, ElementType::kUint8);
  check(std::int32_t{}, ElementType::kInt32);
  check(std::int64_t{}, ElementType::kInt64);
  check(float{}, ElementType::kFloat32);
  check(double{}, ElementType::kFloat64);
}

TEST(ArraySource, ScalesEveryByteOfAnImageToTheNearestFloatOfItsShare) {
  std::vector<std::uint8_t> elements(256);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::uint8_t>(i);
  const Outcome outcome = read_elements(elements, ElementType::kUint8, ValueScale::kPixel, {16, 4, 4});
  ASSERT_EQ(outcome.values.size(), 256U);
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(outcome.values[i], static_cast<float>(i) / 255.0F);
  EXPECT_EQ(outcome.values[255], 1.0F);
}

TEST(ArraySource, KeepsNonFiniteValuesAndTurnsDoublesBeyondFloatIntoInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Outcome outcome = read_elements<double>({infinity, -infinity, std::nan(""), 1e300, -1e300, 1e-300},
                                                ElementType::kFloat64, ValueScale::kAsStored, {6});
  ASSERT_EQ(outcome.rows, 6U);
  EXPECT_EQ(outcome.values[0], infinity);
  EXPECT_EQ(outcome.values[1], -infinity);
  EXPECT_TRUE(std::isnan(outcome.values[2]));
  EXPECT_EQ(outcome.values[3], infinity);
  EXPECT_EQ(outcome.values[4], -infinity);
  EXPECT_EQ(outcome.values[5], 0.0F);
}

TEST(ArraySource, RefusesPixelsOutsideOfTheUnitIntervalAndNamesTheirPlace) {
  for (const float bad : {1.5F, -0.25F, 255.0F, std::numeric_limits<float>::infinity()}) {
    for (std::size_t max_rows = 1; max_rows <= 4; ++max_rows) {
      const Outcome outcome = read_elements<float>({0, 0.5F, 1, std::nanf(""), 0.25F, bad, 0, 0}, ElementType::kFloat32,
                                                   ValueScale::kPixel, {4, 2}, max_rows);
      EXPECT_EQ(outcome.rows, 2U);
      EXPECT_TRUE(contains(outcome.fault, "record 3, value 2")) << outcome.fault;
      EXPECT_FALSE(contains(outcome.fault, std::to_string(bad))) << outcome.fault;
    }
  }
}

TEST(ArraySource, CountsWithoutOverflowWhateverTheShape) {
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const auto make = [](std::vector<std::uint64_t> shape) {
    return ArraySource::make(stream_of("x"), ElementType::kFloat64, ValueScale::kAsStored, std::move(shape));
  };
  EXPECT_TRUE(contains(refusal(make({})), "no extents"));
  EXPECT_TRUE(contains(refusal(make({1, 0})), "no values"));
  EXPECT_TRUE(contains(refusal(make({1, kMaxRecordWidth + 1})), "too many values"));
  EXPECT_TRUE(contains(refusal(make({1, huge, huge})), "too many values"));
  EXPECT_TRUE(contains(refusal(make({1, std::uint64_t{1} << 32, std::uint64_t{1} << 32, 2})), "too many values"));
  EXPECT_TRUE(contains(refusal(make({1, huge, 0})), "too many values"));
  EXPECT_TRUE(contains(refusal(make({huge, 2})), "2^64"));
  EXPECT_TRUE(contains(refusal(make({huge / 8 + 1})), "2^64"));
}

// From a pipe there is no length to compare with: the reader must find out, and must not reserve what was promised.
TEST(ArraySource, HoldsNoMoreThanArrivedWhenAPipeBreaksItsPromise) {
  const std::uint64_t promised_rows = std::uint64_t{1} << 36;
  auto source = ArraySource::make(stream_of("abcdef"), ElementType::kUint8, ValueScale::kAsStored,
                                  {promised_rows, kMaxRecordWidth})
                    .value_or_throw();
  Batch batch;
  const std::string message = refusal(source->read(batch, std::numeric_limits<std::size_t>::max()));
  EXPECT_TRUE(contains(message, "ends within record 1 of 68719476736, at byte 6")) << message;
  EXPECT_LE(batch.values.capacity(), 100U);
}

TEST(ArraySource, RefusesAFileWhoseLengthDisagreesWithItsHeaderBeforeReadingIt) {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("body", "12345678");
  for (const std::uint64_t rows : {7U, 9U}) {
    const std::string message = refusal(
        ArraySource::make(ByteStream::open(path).value_or_throw(), ElementType::kUint8, ValueScale::kAsStored, {rows}));
    EXPECT_TRUE(contains(message, "announces " + std::to_string(rows) + " bytes")) << message;
    EXPECT_TRUE(contains(message, "has 8")) << message;
  }
  EXPECT_TRUE(
      ArraySource::make(ByteStream::open(path).value_or_throw(), ElementType::kUint8, ValueScale::kAsStored, {4, 2}));
}

TEST(ArraySource, RefusesBytesAfterTheLastRecordOfAPipe) {
  const Outcome outcome =
      read_elements<std::uint8_t>({1, 2, 3, 4, 5}, ElementType::kUint8, ValueScale::kAsStored, {2, 2});
  EXPECT_EQ(outcome.rows, 2U);
  EXPECT_TRUE(contains(outcome.fault, "bytes follow the last record, at byte 4")) << outcome.fault;
}

TEST(ArraySource, AcceptsAnArrayWithoutRecords) {
  const Outcome outcome = read_elements<float>({}, ElementType::kFloat32, ValueScale::kAsStored, {0, 7});
  EXPECT_EQ(outcome.rows, 0U);
  EXPECT_EQ(outcome.fault, "");
}

// Elements straddle the stream's buffer when the header before them has an odd length.
TEST(ArraySource, ReadsElementsAcrossBufferBoundaries) {
  const ScratchDirectory scratch;
  std::vector<double> elements(100'000);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<double>(i);
  std::string content = "abc";
  content.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(double));
  ByteStream stream = ByteStream::open(scratch.write("odd", content)).value_or_throw();
  ASSERT_TRUE(stream.peek(3));
  stream.consume(3);
  auto source =
      ArraySource::make(std::move(stream), ElementType::kFloat64, ValueScale::kAsStored, {1000, 100}).value_or_throw();
  const Outcome outcome = read_all(*source, 77);
  ASSERT_EQ(outcome.rows, 1000U);
  for (std::size_t i = 0; i < elements.size(); ++i) ASSERT_EQ(outcome.values[i], static_cast<float>(i));
}

}  // namespace
}  // namespace sotto
