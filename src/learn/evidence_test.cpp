#include "sotto/learn/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/backprop/random.h"
#include "sotto/mechanism/report_batch.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

constexpr std::size_t kRecords = 60, kReports = 40, kClasses = 3, kCodes = 4;

std::vector<float> draw_records(std::size_t count, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  std::vector<float> records;
  for (std::size_t i = 0; i < 2 * count; ++i) records.push_back(2 * draw_uniform(entropy) - 1);
  return records;
}

// Everything that a collector has: a release, reports of it, public records and a partition of them.
struct Collected {
  Collected(const MechanismSpec& spec, const ReleaseParameters& parameters)
      : mechanism(mechanism_of(spec)), batch(mechanism.release(parameters).value_or_throw()) {
    const Representation representation(mechanism, mechanism.release({epsilon("1")}).value_or_throw());
    const auto records = draw_records(kRecords, 3);
    prior = make_public_prior(representation, records, kRecords, kRecords, 1).value_or_throw();
    for (std::size_t i = 0; i < kRecords; ++i)
      book.code_of_record.push_back(static_cast<std::uint32_t>(i * i % 7 % kCodes));
    book.codes = kCodes;
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < kReports; ++i) labels.push_back(static_cast<std::int32_t>(i % kClasses));
    SeededEntropy entropy(5);
    batch.privatize(draw_records(kReports, 4), labels, kReports, entropy).or_throw();
    for (std::size_t i = 0; i < kReports; ++i) {
      reports.features.insert(reports.features.end(), batch.features(i).begin(), batch.features(i).end());
      if (batch.label(i)) reports.labels.push_back(static_cast<std::int32_t>(*batch.label(i)));
    }
  }

  // p(report | record's point, label), asked of the channels themselves.
  double probability(std::size_t report, std::size_t record, std::int64_t label) const {
    const Release& release = batch.release();
    const std::size_t length = prior.points.size() / prior.size;
    const Point point = std::span(prior.points).subspan(prior.place_of_record[record] * length, length);
    if (const LabelJoin* join = release.label_join()) {
      std::vector<std::int64_t> joint(point_length(join->domain()));
      join->join(point, label, joint);
      return std::exp(release.channel().log_likelihood(batch[report], joint));
    }
    return std::exp(release.channel().log_likelihood(batch.features(report), point) +
                    release.label_channel()->log_likelihood(batch[report].last(1), {&label, 1}));
  }

  // The definition, in double: the mean over a code's records, the largest scaled to 1.
  std::vector<double> naive_evidence() const {
    std::vector<double> values(kReports * kCodes * kClasses, 0), members(kCodes, 0);
    for (const std::uint32_t code : book.code_of_record) ++members[code];
    for (std::size_t n = 0; n < kReports; ++n) {
      const auto row = std::span(values).subspan(n * kCodes * kClasses, kCodes * kClasses);
      for (std::size_t record = 0; record < kRecords; ++record)
        for (std::size_t y = 0; y < kClasses; ++y) {
          const std::uint32_t code = book.code_of_record[record];
          row[code * kClasses + y] += probability(n, record, static_cast<std::int64_t>(y)) / members[code];
        }
      const double largest = *std::max_element(row.begin(), row.end());
      for (double& value : row) value /= largest;
    }
    return values;
  }

  Evidence evidence() const {
    const Channel* label = batch.release().label_channel();
    const LabelNoise noise = label != nullptr ? label_noise_of(*label, kClasses) : no_label_noise(kClasses);
    return gather_evidence(batch.release(), reports, noise, prior, book);
  }

  Mechanism mechanism;
  ReportBatch batch;
  PublicPrior prior;
  CodeBook book;
  ReportSet reports;
};

void expect_as_defined(const Collected& collected) {
  const Evidence evidence = collected.evidence();
  const auto expected = collected.naive_evidence();
  ASSERT_EQ(evidence.codes, kCodes);
  ASSERT_EQ(evidence.classes, kClasses);
  ASSERT_EQ(evidence.reports(), kReports);
  ASSERT_EQ(evidence.values.size(), expected.size());
  double least = 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(evidence.values[i], expected[i], 1e-4) << "value " << i;
    least = std::min(least, expected[i]);
  }
  EXPECT_LT(least, 0.5) << "reports that say nothing would show nothing";
  for (std::size_t n = 0; n < kReports; ++n) {
    const auto row = std::span(evidence.values).subspan(n * evidence.symbols(), evidence.symbols());
    EXPECT_FLOAT_EQ(*std::max_element(row.begin(), row.end()), 1);
  }
}

TEST(Evidence, OfALabelWithAShareOfItsOwnIsWhatTheChannelsSay) {
  for (const char* text : {"0.5", "4", "30"})
    expect_as_defined({labelled(l1_spec(64)), {epsilon(text), Delta::zero(), lambda("0.7")}});
}

TEST(Evidence, OfALabelJoinedOnTheLatticeIsWhatTheChannelSaysOfJointPoints) {
  for (const char* text : {"1", "4", "30"}) expect_as_defined({labelled(l1_spec(64)), joint(text)});
}

TEST(Evidence, OfCodesJoinedWithLabelsIsWhatTheChannelSaysOfSymbols) {
  const CodebookSpec codebook{{-1, 0, 1, 0, 0, 1, 0, -1, 0, 0}};
  for (const ChannelFamily family :
       {ChannelFamily::kRandomizedResponse, ChannelFamily::kSubsetSelection, ChannelFamily::kHadamardResponse})
    expect_as_defined({labelled(spec_of(two_numbers(), codebook, family)), joint("3")});
  expect_as_defined({labelled(spec_of(two_numbers(), three_distant_codes(), ChannelFamily::kExponential)), joint("3")});
}

TEST(CodeBook, SharesAndMembershipCountRecords) {
  PublicPrior prior;
  prior.size = 2;
  prior.place_of_record = {0, 0, 1, 1, 1};
  const CodeBook book{3, {0, 1, 1, 1, 0}};
  EXPECT_EQ(book.shares(), (std::vector<float>{0.4F, 0.6F, 0}));
  const auto membership = book.membership(prior);  // points × codes
  const std::vector<float> expected = {0.5F, 1.0F / 3, 0, 0.5F, 2.0F / 3, 0};
  ASSERT_EQ(membership.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(membership[i], expected[i], 1e-6);
}

}  // namespace
}  // namespace sotto
