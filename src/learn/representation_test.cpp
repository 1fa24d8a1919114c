#include "sotto/learn/representation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

Representation representation_of(const MechanismSpec& spec, std::string_view epsilon_text) {
  return {mechanism_of(spec), release_of(spec, epsilon_text)};
}

std::vector<float> seen_of(const MechanismSpec& spec, std::vector<float> record) {
  const Representation representation = representation_of(spec, "1");
  return representation.of_points(representation.points_of(record, 1).value_or_throw());
}

void expect_near(std::span<const float> values, const std::vector<float>& expected, double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << "value " << i;
}

TEST(Representation, OfARecordIsInTheEncodersUnits) {
  constexpr std::int64_t kFine = 4096;
  constexpr double kStep = 4.0 / 4096;
  expect_near(seen_of(spec_of(two_numbers(), L1LatticeSpec{2, kFine}, ChannelFamily::kLatticeLaplace), {0.3F, -0.5F}),
              {0.3F, -0.5F}, kStep);
  expect_near(seen_of(spec_of(two_numbers(), L2LatticeSpec{2, kFine}, ChannelFamily::kLatticeGaussian), {0.3F, -0.5F}),
              {0.3F, -0.5F}, kStep);
  expect_near(
      seen_of(spec_of(two_numbers(), DirectionAndLengthSpec{2, kFine}, ChannelFamily::kPrivUnit), {0.3F, -0.5F}),
      {0.3F, -0.5F}, kStep);
}

TEST(Representation, OfABoxIsScaledToTheUnitIntervalWithCategoriesAsBlocks) {
  expect_near(seen_of(spec_of(two_numbers(), FeatureBoxSpec{4096}, ChannelFamily::kDuchi), {0.5F, -1}), {0.75F, 0},
              1.0 / 4096);
  expect_near(seen_of(spec_of(number_and_category(), FeatureBoxSpec{4096}, ChannelFamily::kFeatureLaplace), {30, 1}),
              {0.25F, 0, 1, 0}, 1.0 / 4096);
}

TEST(Representation, OfACodebookIsOneHot) {
  expect_near(seen_of(spec_of(two_numbers(), CodebookSpec{{-1, 0, 1, 0, 0, 1}}, ChannelFamily::kRandomizedResponse),
                      {0.1F, 0.8F}),
              {0, 0, 1}, 0);
}

TEST(Representation, OfAReportWithoutNoiseIsThatOfItsRecord) {
  for (const MechanismSpec& spec :
       {l1_spec(64), spec_of(two_numbers(), L2LatticeSpec{1, 64}, ChannelFamily::kLatticeGaussian)}) {
    const Representation representation = representation_of(spec, "1");
    const auto points = representation.points_of(std::vector<float>{0.25F, -0.5F, 0, 0.125F}, 2).value_or_throw();
    EXPECT_EQ(representation.of_reports(points), representation.of_points(points));
  }
}

// α = 1e-6 over the 9 families' 23 coordinates: |z| ≤ 5.5. With 20,000 reports the means are known to 1/140 of one
// report's spread, so that biases of 4 % of that spread are found.
constexpr double kLargestZ = 5.5;
constexpr std::size_t kReports = 20'000;

// Reports go through `garble` before they are read; those of `released` are read as if they came from `assumed`.
template <class Garble>
double worst_z(const MechanismSpec& spec, std::string_view released, std::string_view assumed, Garble garble) {
  const std::vector<float> record{0.25F, spec.input.columns[1].kind == Column::Kind::kNumeric ? -0.5F : 1};
  const Release release = release_of(spec, released);
  std::vector<float> records;
  for (std::size_t n = 0; n < kReports; ++n) records.insert(records.end(), record.begin(), record.end());
  std::vector<std::int64_t> reports(kReports * release.report_length());
  SeededEntropy entropy(3);
  release.privatize(records, {}, kReports, entropy, reports).or_throw();
  for (std::int64_t& value : reports) value = garble(value);

  const Representation representation = representation_of(spec, assumed);
  const std::size_t width = representation.width();
  const auto expected = representation.of_points(representation.points_of(record, 1).value_or_throw());
  const auto seen = representation.of_reports(reports);
  double worst = 0;
  for (std::size_t i = 0; i < width; ++i) {
    double sum = 0, squares = 0;
    for (std::size_t n = 0; n < kReports; ++n) {
      const double error = static_cast<double>(seen[n * width + i]) - static_cast<double>(expected[i]);
      sum += error;
      squares += error * error;
    }
    if (squares > 0) worst = std::max(worst, std::abs(sum) / std::sqrt(squares));
  }
  return worst;
}

constexpr auto kUntouched = [](std::int64_t value) { return value; };

TEST(Representation, OfManyReportsAveragesToThatOfTheirRecord) {
  for (const MechanismSpec& spec : a_spec_for_every_family())
    EXPECT_LE(worst_z(spec, "2", "2", kUntouched), kLargestZ) << name_of(spec.channel);
}

TEST(Representation, MutantThatClipsReportsToTheBallIsRejected) {
  EXPECT_GT(worst_z(l1_spec(64), "2", "2", [](std::int64_t v) { return std::clamp<std::int64_t>(v, -64, 64); }),
            2 * kLargestZ);
}

TEST(Representation, MutantThatReadsReportsWithAnotherEpsilonIsRejected) {
  const CodebookSpec codebook{{-1, 0, 1, 0, 0, 1}};
  for (const MechanismSpec& spec : {spec_of(two_numbers(), codebook, ChannelFamily::kRandomizedResponse),
                                    spec_of(two_numbers(), FeatureBoxSpec{64}, ChannelFamily::kDuchi)})
    EXPECT_GT(worst_z(spec, "2", "1", kUntouched), 2 * kLargestZ) << name_of(spec.channel);
}

}  // namespace
}  // namespace sotto
