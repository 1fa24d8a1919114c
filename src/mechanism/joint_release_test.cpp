// Record and label released as one point, with the whole of ε.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/describe.h"
#include "sotto/mechanism/feature_decoder.h"
#include "sotto/mechanism/release.h"
#include "sotto/mechanism/report_batch.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using Values = std::vector<std::int64_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

MechanismSpec four_codes(ChannelFamily family) {
  return labelled(spec_of(two_numbers(), CodebookSpec{{-1, 0, 1, 0, 0, 1, 0, -1}}, family));
}

Release joint_release(const MechanismSpec& spec, std::string_view epsilon_text) {
  return mechanism_of(spec).release(joint(epsilon_text)).value_or_throw();
}

// Every point of the features' domain with every label, as the channel sees them.
std::vector<Values> all_starts(const Release& release, const std::set<Values>& points) {
  std::vector<Values> starts;
  for (const Values& point : points)
    for (std::int64_t label = 0; label < release.label_join()->classes(); ++label) {
      starts.emplace_back(point_length(release.channel().domain()));
      release.label_join()->join(point, label, starts.back());
    }
  return starts;
}

// Calls back with every report whose fields lie both in their range and in the window.
template <typename Visit>
void for_every_report(const Release& release, Range window, const Visit& visit) {
  std::vector<Range> fields = release.codec().fields();
  Values report;
  for (Range& field : fields) {
    field = {std::max(field.low, window.low), std::min(field.high, window.high)};
    report.push_back(field.low);
  }
  for (std::size_t i = 0; i < report.size();) {
    if (i == 0) visit(Report(report));
    if (report[i] < fields[i].high) {
      ++report[i];
      i = 0;
    } else {
      report[i] = fields[i].low;
      ++i;
    }
  }
}

double worst_log_ratio(const Release& release, const std::vector<Values>& starts, Range window) {
  double worst = 0;
  for_every_report(release, window, [&](Report report) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Values& start : starts) {
      const double value = release.channel().log_likelihood(report, start);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (high > -std::numeric_limits<double>::infinity()) worst = std::max(worst, high - low);
  });
  return worst;
}

std::set<Values> whole_ball(std::int64_t resolution) {
  std::set<Values> points;
  for (std::int64_t x = -resolution; x <= resolution; ++x)
    for (std::int64_t y = -resolution; y <= resolution; ++y)
      if (std::abs(x) + std::abs(y) <= resolution) points.insert({x, y});
  return points;
}

// The slack is for the doubles of log_likelihood. The window reaches beyond the ball on both sides, where the ratio of
// Laplace noise no longer changes.
constexpr double kSlack = 1e-9;

TEST(JointRelease, KeepsTheRatioOfAnyReportForAnyTwoRecordsAndLabelsWithinEpsilonAndReachesIt) {
  MechanismSpec spec = l1_spec(2);
  spec.label = LabelSchema{"class", {"a", "b"}};
  for (const char* text : {"0.5", "2"}) {
    const Release release = joint_release(spec, text);
    EXPECT_NEAR(worst_log_ratio(release, all_starts(release, whole_ball(2)), {-4, 4}), epsilon(text).to_double(),
                kSlack);
  }
}

TEST(JointRelease, RefusesAPointBeyondTheBallOnWhichTheClaimRests) {
  MechanismSpec spec = l1_spec(2);
  spec.label = LabelSchema{"class", {"a", "b"}};
  const Release release = joint_release(spec, "2");
  const auto on_axis = [](std::int64_t x) { return Values{x, 0, 0, 0}; };
  const Values report = {4, 0, 0, 0};
  const double between_vertices =
      release.channel().log_likelihood(report, on_axis(2)) - release.channel().log_likelihood(report, on_axis(-2));
  EXPECT_NEAR(between_vertices, 2, kSlack);  // one step further would be 2.5
  SeededEntropy entropy(1);
  Values drawn(4, 77);
  for (const Values& outside : {on_axis(3), Values{2, 0, 1, 0}, Values{1, 1, 0, -1}})
    EXPECT_THROW(release.channel().sample(outside, entropy, drawn), Failure);
  EXPECT_EQ(drawn, Values(4, 77));
}

TEST(JointRelease, OfCodesKeepsTheRatioWithinEpsilonAndReachesIt) {
  for (const ChannelFamily family :
       {ChannelFamily::kRandomizedResponse, ChannelFamily::kSubsetSelection, ChannelFamily::kHadamardResponse}) {
    SCOPED_TRACE(name_of(family));
    const Release release = joint_release(four_codes(family), "1.5");
    const auto starts = all_starts(release, {{0}, {1}, {2}, {3}});
    EXPECT_EQ(std::set<Values>(starts.begin(), starts.end()).size(), 12U);
    EXPECT_NEAR(worst_log_ratio(release, starts, {0, 11}), 1.5, kSlack);
  }
}

// Opposite corners are 3 apart, neighbours 2; symbols with different labels 3.
TEST(JointRelease, OfCodesWithDistancesKeepsTheRatioWithinEpsilonAndComesNearIt) {
  MechanismSpec spec = four_codes(ChannelFamily::kExponential);
  std::get<CodebookSpec>(spec.constraint).distances = {0, 3, 2, 2, 3, 0, 2, 2, 2, 2, 0, 3, 2, 2, 3, 0};
  const Release release = joint_release(spec, "1.5");
  const double worst = worst_log_ratio(release, all_starts(release, {{0}, {1}, {2}, {3}}), {0, 11});
  EXPECT_LE(worst, 1.5 + kSlack);
  EXPECT_GT(worst, 1.5 - 1e-5);
}

TEST(JointRelease, OfCodesReportsOneSymbolForCodeAndLabel) {
  const Release release = joint_release(four_codes(ChannelFamily::kRandomizedResponse), "30");  // as good as no noise
  ASSERT_EQ(release.report_length(), 1U);
  EXPECT_EQ(release.codec().fields()[0], (Range{0, 11}));
  Entropy entropy;
  const std::vector<float> corners = {-1, 0, 1, 0, 0, 1, 0, -1};
  for (std::int32_t label = 0; label < 3; ++label) {
    Values reports(4);
    ASSERT_TRUE(release.privatize(corners, std::vector<std::int32_t>(4, label), 4, entropy, reports));
    for (std::int64_t code = 0; code < 4; ++code) EXPECT_EQ(reports[static_cast<std::size_t>(code)], 3 * code + label);
  }
}

TEST(JointRelease, ClaimsAllOfEpsilonOnceAndReportsABlockForEachLabel) {
  const Release release = joint_release(labelled(l1_spec(64)), "1.4");
  EXPECT_EQ(release.claim().epsilon, epsilon("1.4"));
  EXPECT_TRUE(release.claim().delta.is_zero());
  EXPECT_EQ(release.channel().claim().epsilon, epsilon("1.4"));
  EXPECT_EQ(release.report_length(), 2U * 3U);
  EXPECT_EQ(release.label_channel(), nullptr);
  ASSERT_NE(release.label_join(), nullptr);
  EXPECT_EQ(release.label_join()->classes(), 3);
  EXPECT_TRUE(release.takes_labels());
  const Description lines = describe(release);
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                          [](const auto& line) { return line.first == "label" && contains(line.second, "joined"); }));
}

TEST(JointRelease, PutsTheRecordIntoTheBlockOfItsLabel) {
  const Release release = joint_release(labelled(l1_spec(64)), "100");
  constexpr std::size_t kCount = 4'000;
  std::vector<float> records;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < kCount; ++i) {
    records.insert(records.end(), {0.5F, -0.25F});
    labels.push_back(1);
  }
  SeededEntropy entropy(3);
  Values reports(kCount * 6);
  ASSERT_TRUE(release.privatize(records, labels, kCount, entropy, reports));
  // Noise of scale 128/100 has a variance of about 3.3; the mean of 4,000 has a standard error of 0.03.
  const Values expected = {0, 0, 32, -16, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    double sum = 0;
    for (std::size_t n = 0; n < kCount; ++n) sum += static_cast<double>(reports[6 * n + i]);
    EXPECT_NEAR(sum / kCount, static_cast<double>(expected[i]), 0.2) << "field " << i;
  }
}

TEST(JointRelease, AnswersHostileRecordsWithAPossibleReport) {
  const Release release = joint_release(labelled(l1_spec(64)), "1");
  Entropy entropy;
  for (const float x : {kNan, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::max(), 1e38F})
    for (const float y : {kNan, -1.0F, 1e-45F}) {
      Values report(6);
      ASSERT_TRUE(release.privatize(std::vector<float>{x, y}, std::vector<std::int32_t>{2}, 1, entropy, report));
      EXPECT_TRUE(release.channel().is_possible(report));
    }
}

TEST(JointRelease, RefusesWrongLabelsAndReleasesNothing) {
  const Release release = joint_release(labelled(l1_spec(64)), "1");
  struct Case {
    std::vector<std::int32_t> labels;
    const char* words;
  };
  for (const Case& c : std::vector<Case>{{{0, 3}, "label of record 2"},
                                         {{-1, 0}, "label of record 1"},
                                         {{0, 987654}, "label of record 2"},
                                         {{0}, "labels: expected 2, got 1"},
                                         {{}, "labels: expected 2, got 0"}}) {
    SeededEntropy entropy(1), untouched(1);
    Values reports(2 * 6, 77);
    const std::string words = refusal(release.privatize(std::vector<float>(4, 0.25F), c.labels, 2, entropy, reports),
                                      ErrorCode::kInvalidInput);
    EXPECT_TRUE(contains(words, c.words)) << words;
    EXPECT_FALSE(contains(words, "987654"));
    EXPECT_EQ(reports, Values(2 * 6, 0));
    EXPECT_EQ(entropy.take<std::uint64_t>(), untouched.take<std::uint64_t>()) << "randomness was used";
  }
}

TEST(JointRelease, IsRefusedBesideLambdaWithoutALabelAndForDomainsThatCannotJoin) {
  ReleaseParameters both = joint("1");
  both.lambda = lambda("0.5");
  EXPECT_TRUE(contains(refusal(mechanism_of(labelled(l1_spec(64))).release(both), ErrorCode::kInvalidArgument),
                       "joint: given together with lambda"));
  EXPECT_TRUE(contains(refusal(mechanism_of(l1_spec(64)).release(joint("1")), ErrorCode::kInvalidArgument),
                       "joint: given, but this mechanism has no label"));
  for (const MechanismSpec& spec : {spec_of(two_numbers(), FeatureBoxSpec{64}, ChannelFamily::kDuchi),
                                    spec_of(number_and_category(), FeatureBoxSpec{64}, ChannelFamily::kFeatureLaplace),
                                    spec_of(two_numbers(), DirectionAndLengthSpec{1, 64}, ChannelFamily::kPrivUnit)}) {
    SCOPED_TRACE(name_of(spec.channel));
    const auto release = mechanism_of(labelled(spec)).release(joint("1"), InexactChannels::kAllowForExperiments);
    EXPECT_TRUE(contains(refusal(release, ErrorCode::kUnsupported), "label: only points of an L1 lattice and codes"));
  }
  ReleaseParameters gaussian = joint("1");
  gaussian.delta = delta("1e-5");
  refusal(mechanism_of(labelled(spec_of(two_numbers(), L2LatticeSpec{1, 64}, ChannelFamily::kLatticeGaussian)))
              .release(gaussian),
          ErrorCode::kUnsupported);
}

TEST(JointRelease, TravelsAsJsonAndCborAndIsReadByItsOwnReleaseOnly) {
  const Mechanism mechanism = mechanism_of(labelled(l1_spec(64)));
  const Release release = mechanism.release(joint("1.4")).value_or_throw();
  ReportBatch drawn(release), read(release);
  SeededEntropy entropy(5);
  ASSERT_TRUE(drawn.privatize(std::vector<float>(40, 0.25F), std::vector<std::int32_t>(20, 2), 20, entropy));
  ReportBatch plain(mechanism.release({epsilon("1.4")}).value_or_throw());
  ReportBatch split(mechanism.release({epsilon("1.4"), Delta::zero(), lambda("0.5")}).value_or_throw());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    EXPECT_EQ(drawn.features(i).size(), 6U);
    EXPECT_EQ(drawn.label(i), std::nullopt);
    std::string line, item;
    release.codec().append_ndjson(drawn[i], line);
    release.codec().append_cbor(drawn[i], item);
    EXPECT_EQ(line.size(), release.codec().ndjson_length());
    EXPECT_EQ(item.size(), release.codec().cbor_length());
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(item.data()), item.size());
    ASSERT_TRUE(i % 2 == 0 ? read.append_ndjson(line) : read.append_cbor(bytes));
    EXPECT_FALSE(plain.append_ndjson(line));
    EXPECT_FALSE(split.append_ndjson(line));
    EXPECT_FALSE(plain.append_cbor(bytes));
    EXPECT_FALSE(split.append_cbor(bytes));
  }
  EXPECT_TRUE(std::equal(read.values().begin(), read.values().end(), drawn.values().begin(), drawn.values().end()));
}

TEST(JointRelease, StandsForNoSingleEncodingSoTheDecoderRefusesIt) {
  const Mechanism mechanism = mechanism_of(labelled(with_decoder(l1_spec(64), {}, OutputMap::kNone)));
  ReportBatch batch(mechanism.release(joint("1")).value_or_throw());
  SeededEntropy entropy(5);
  ASSERT_TRUE(batch.privatize(std::vector<float>(2, 0.25F), std::vector<std::int32_t>{1}, 1, entropy));
  FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
  std::vector<float> record(2, 0.5F);
  EXPECT_TRUE(contains(refusal(decoder.decode(batch, record), ErrorCode::kUnsupported), "joined with their labels"));
  EXPECT_EQ(record, std::vector<float>(2, 0.5F));
}

}  // namespace
}  // namespace sotto
