#include "sotto/plan/simulation.h"

#include <gtest/gtest.h>

namespace sotto {
namespace {

constexpr std::size_t kCodes = 6, kClasses = 3, kRecords = 600;

// Code c has label c mod 3, but for one record in ten.
EncodedRecords make_records() {
  EncodedRecords records{1, {}, {}, kClasses, {kCodes, {}}};
  for (std::uint32_t i = 0; i < kRecords; ++i) {
    const std::uint32_t code = i % kCodes;
    records.encodings.push_back(static_cast<float>(code));
    records.book.code_of_record.push_back(code);
    records.labels.push_back(static_cast<std::int32_t>((code + (i % 10 == 0 ? 1 : 0)) % kClasses));
  }
  return records;
}

double simulate(const char* epsilon, bool joint, std::size_t reports, std::uint64_t seed = 1) {
  ReleaseParameters release{Epsilon::parse(epsilon).value_or_throw()};
  release.joint = joint;
  if (!joint) release.lambda = parse_lambda("0.5").value_or_throw();
  return simulate_collection(make_records(), {CodebookSpec{{0, 1, 2, 3, 4, 5}}, ChannelFamily::kSubsetSelection,
                                              release, reports, seed})
      .value_or_throw();
}

TEST(Simulation, FindsTheLabelsOfCodesWhenThereAreReportsEnough) {
  EXPECT_DOUBLE_EQ(simulate("3", true, 3000), 0.9);
  EXPECT_DOUBLE_EQ(simulate("8", false, 3000), 0.9);
}

TEST(Simulation, IsNoBetterThanChanceWhenReportsSayNothing) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) sum += simulate("0.001", true, 100, seed);
  EXPECT_NEAR(sum / 10, 1.0 / 3, 0.2);  // ten tables of six labels: a standard deviation of 0.06
}

TEST(Simulation, ALabelWithAShareOfItsOwnNeedsMoreEpsilon) {
  double joint = 0, split = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    joint += simulate("1", true, 1000, seed) / 10;
    split += simulate("1", false, 1000, seed) / 10;
  }
  EXPECT_GT(joint, split + 0.1);
}

TEST(Simulation, IsTheSameForTheSameSeed) { EXPECT_EQ(simulate("0.5", true, 500, 3), simulate("0.5", true, 500, 3)); }

}  // namespace
}  // namespace sotto
