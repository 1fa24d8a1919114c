#include "sotto/mechanism/report_batch.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using Values = std::vector<std::int64_t>;

// Integers that no release vouches for do not make a batch.
static_assert(!std::is_constructible_v<ReportBatch, Release, Values>);
static_assert(!std::is_constructible_v<ReportBatch, Values>);
static_assert(!std::is_assignable_v<decltype(std::declval<const ReportBatch&>().values()[0]), std::int64_t>);

Release labelled_release() {
  MechanismSpec spec = l1_spec(64);
  spec.label = three_classes();
  return mechanism_of(spec).release({epsilon("1.4"), Delta::zero(), lambda("0.7")}).value_or_throw();
}

const std::vector<float> kRecords = {0.25F, 0, -1, 0.5F, 0, 0};
const std::vector<std::int32_t> kLabels = {2, 0, 1};

TEST(ReportBatch, HoldsWhatTheReleaseDraws) {
  const Release release = labelled_release();
  ReportBatch batch(release);
  EXPECT_EQ(batch.size(), 0U);
  SeededEntropy first(3), second(3);
  ASSERT_TRUE(batch.privatize(kRecords, kLabels, 3, first));
  Values expected(9);
  ASSERT_TRUE(release.privatize(kRecords, kLabels, 3, second, expected));
  EXPECT_EQ(Values(batch.values().begin(), batch.values().end()), expected);
  EXPECT_EQ(batch.size(), 3U);
  EXPECT_EQ(batch[1].size(), 3U);
  EXPECT_EQ(batch.features(1)[1], expected[4]);
  EXPECT_EQ(batch.features(1).size(), 2U);
  EXPECT_EQ(batch.label(2), expected[8]);
  EXPECT_EQ(ReportBatch(release_of(l1_spec(4), "1")).release().label_channel(), nullptr);
}

TEST(ReportBatch, IsEmptyAfterAnError) {
  ReportBatch batch(labelled_release());
  SeededEntropy entropy(3);
  ASSERT_TRUE(batch.privatize(kRecords, kLabels, 3, entropy));
  refusal(batch.privatize(kRecords, {}, 3, entropy), ErrorCode::kInvalidInput);
  EXPECT_EQ(batch.size(), 0U);
  refusal(batch.privatize(kRecords, kLabels, std::size_t{1} << 62, entropy), ErrorCode::kInvalidInput);
  EXPECT_EQ(batch.size(), 0U);
}

TEST(ReportBatch, ReadsReportsOffTheWireInBothFormatsAndKeepsThemWhenOneIsBad) {
  ReportBatch drawn(labelled_release()), read(labelled_release());
  SeededEntropy entropy(3);
  ASSERT_TRUE(drawn.privatize(kRecords, kLabels, 3, entropy));
  std::string line, item;
  drawn.release().codec().append_ndjson(drawn[0], line);
  drawn.release().codec().append_cbor(drawn[1], item);
  ASSERT_TRUE(read.append_ndjson(line));
  refusal(read.append_ndjson("{}"), ErrorCode::kInvalidInput);
  ASSERT_TRUE(read.append_cbor({reinterpret_cast<const std::uint8_t*>(item.data()), item.size()}));
  refusal(read.append_cbor({}), ErrorCode::kInvalidInput);
  EXPECT_EQ(Values(read.values().begin(), read.values().end()),
            Values(drawn.values().begin(), drawn.values().begin() + 6));
  read.clear();
  EXPECT_EQ(read.size(), 0U);
}

TEST(ReportBatch, RefusesReportsOfAnotherReleaseAndThoseThatNobodyDraws) {
  const MechanismSpec spec =
      spec_of(two_numbers(), CodebookSpec{std::vector<float>(20, 0.5F)}, ChannelFamily::kSubsetSelection);
  ReportBatch batch(release_of(spec, "1"));
  ASSERT_GE(batch.release().report_length(), 2U);
  std::string line;
  batch.release().codec().append_ndjson(Values(batch.release().report_length(), 3), line);  // does not increase
  refusal(batch.append_ndjson(line), ErrorCode::kInvalidInput);
  EXPECT_EQ(batch.size(), 0U);
  line.clear();
  release_of(spec, "1.001").codec().append_ndjson(Values{0, 1, 2}, line);
  refusal(batch.append_ndjson(line), ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace sotto
