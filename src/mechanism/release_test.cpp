#include "sotto/mechanism/release.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <set>

#include "sotto/channel/lattice_laplace.h"
#include "sotto/constraint/ball_lattice.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using Values = std::vector<std::int64_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
constexpr float kHostile[] = {0,     -0.0F, 0.5F,      -0.5F,      1,        -1,        1.0000001F, 3,
                              1e38F, kNan,  kInfinity, -kInfinity, kLargest, -kLargest, kSmallest,  -kSmallest};

std::vector<std::vector<float>> hostile_pairs() {
  std::vector<std::vector<float>> records;
  for (const float x : kHostile)
    for (const float y : kHostile) records.push_back({x, y});
  return records;
}

std::vector<float> joined(const std::vector<std::vector<float>>& records) {
  std::vector<float> values;
  for (const auto& record : records) values.insert(values.end(), record.begin(), record.end());
  return values;
}

// Gives reproducible bytes for so many pages of 4,088 and then fails, until it is repaired.
class FlakyEntropy : public SeededEntropy {
 public:
  enum class Fault { kNoEntropy, kNoMemory };
  explicit FlakyEntropy(int pages, Fault fault = Fault::kNoEntropy)
      : SeededEntropy(5), pages_left_(pages), fault_(fault) {}
  void repair() { pages_left_ = 1'000'000; }
  int pages_taken() const { return pages_taken_; }

 protected:
  void fill(std::span<std::uint8_t> bytes) override {
    if (pages_left_ == 0 && fault_ == Fault::kNoMemory) throw std::bad_alloc();
    if (pages_left_ == 0) throw Failure({ErrorCode::kEntropyFailure, "no entropy"});
    --pages_left_;
    ++pages_taken_;
    SeededEntropy::fill(bytes);
  }

 private:
  int pages_left_;
  Fault fault_;
  int pages_taken_ = 0;
};

MechanismSpec labelled_spec() {
  MechanismSpec spec = l1_spec(64);
  spec.label = three_classes();
  return spec;
}

Release labelled_release() {
  return mechanism_of(labelled_spec()).release({epsilon("1.4"), Delta::zero(), lambda("0.7")}).value_or_throw();
}

bool is_all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](std::int64_t value) { return value == 0; });
}

TEST(Release, AnswersHostileRecordsWithAPossibleReportOfEveryFamily) {
  const auto records = hostile_pairs();
  Entropy entropy;
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    SCOPED_TRACE(name_of(spec.channel));
    Release release = release_of(spec, "2");
    Values reports(records.size() * release.report_length(), 77);
    const Status status = release.privatize(joined(records), {}, records.size(), entropy, reports);
    ASSERT_TRUE(status) << status.error().message;
    const std::vector<Range>& fields = release.codec().fields();
    for (std::size_t i = 0; i < reports.size(); ++i) {
      EXPECT_LE(fields[i % fields.size()].low, reports[i]);
      EXPECT_GE(fields[i % fields.size()].high, reports[i]);
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Report report = Report(reports).subspan(i * fields.size(), fields.size());
      EXPECT_TRUE(release.channel().is_possible(report));
      EXPECT_TRUE(
          std::isfinite(release.channel().log_likelihood(report, release.point_of(records[i]).value_or_throw())));
    }
  }
}

TEST(Release, SurvivesAnEncoderThatOverflows) {
  MechanismSpec spec = l1_spec(64);
  spec.encoder =
      Network::make(2, {DenseLayer{2, 2, {3e38F, -3e38F, 1, 1}, {0, 0}, Activation::kNone}}).value_or_throw();
  Release release = release_of(spec, "1");
  Entropy entropy;
  for (const auto& record : hostile_pairs()) {
    Values report(2);
    ASSERT_TRUE(release.privatize(record, {}, 1, entropy, report));
    EXPECT_TRUE(release.channel().is_possible(report));
  }
}

// Every report the channel can make: a counter with one digit per field.
class EveryReport {
 public:
  explicit EveryReport(const std::vector<Range>& fields) : fields_(fields) {
    for (const Range field : fields) report_.push_back(field.low);
  }
  const Values& operator*() const { return report_; }
  bool advance() {
    for (std::size_t i = 0; i < report_.size(); ++i) {
      if (report_[i]++ < fields_[i].high) return true;
      report_[i] = fields_[i].low;
    }
    return false;
  }

 private:
  std::vector<Range> fields_;
  Values report_;
};

// The largest |log P(report | a) − log P(report | b)| over all reports, all points a and b, and all labels.
double worst_log_ratio(const Release& release, const std::set<Values>& points) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::size_t features = release.channel().report_length();
  const std::int64_t classes = release.label_channel() == nullptr ? 1 : release.codec().fields().back().high + 1;
  double worst = 0;
  EveryReport every(release.codec().fields());
  do {
    const Report report(*every);
    double low = infinity, high = -infinity;
    for (const Values& point : points) {
      const double of_features = release.channel().log_likelihood(report.first(features), point);
      for (std::int64_t label = 0; label < classes; ++label) {
        const double of_label = release.label_channel() == nullptr
                                    ? 0
                                    : release.label_channel()->log_likelihood(report.last(1), {&label, 1});
        low = std::min(low, of_features + of_label);
        high = std::max(high, of_features + of_label);
      }
    }
    if (high > -infinity) worst = std::max(worst, high - low);
  } while (every.advance());
  return worst;
}

std::set<Values> points_of(Release& release, const std::vector<std::vector<float>>& records) {
  std::set<Values> points;
  for (const auto& record : records) points.insert(release.point_of(record).value_or_throw());
  return points;
}

// The exhaustive check, end to end: records → encoder → constraint → channel, and all reports there are. The slack is
// for the doubles of log_likelihood, whose terms are below 1,000.
constexpr double kSlack = 1e-9;

TEST(Release, KeepsTheRatioOfAnyReportForAnyTwoRecordsWithinEpsilonAndReachesIt) {
  for (const std::int64_t resolution : {2, 3}) {
    for (const bool linear : {false, true}) {
      MechanismSpec spec = l1_spec(resolution);
      if (linear)
        spec.encoder =
            Network::make(2, {DenseLayer{2, 2, {1, 1, 1e38F, -1e38F}, {0, 0.25F}, Activation::kNone}}).value_or_throw();
      Release release = release_of(spec, "2");
      const auto points = points_of(release, hostile_pairs());
      EXPECT_GE(points.size(), !linear && resolution == 2 ? 13U : 5U);  // 13: the whole ball
      EXPECT_NEAR(worst_log_ratio(release, points), 2, kSlack) << resolution << " " << linear;
    }
  }
}

TEST(Release, KeepsTheRatioWithinEpsilonWithALabelInTheSameReport) {
  MechanismSpec spec = l1_spec(2);
  spec.label = three_classes();
  Release release = mechanism_of(spec).release({epsilon("2.5"), Delta::zero(), lambda("0.8")}).value_or_throw();
  EXPECT_NEAR(worst_log_ratio(release, points_of(release, hostile_pairs())), 2.5, kSlack);
}

TEST(Release, KeepsTheRatioWithinEpsilonForTheOtherExactFamilies) {
  const CodebookSpec codebook{{-1, 0, 1, 0, 0, 1, 0, 0}};
  for (const MechanismSpec& spec :
       {spec_of(two_numbers(), codebook, ChannelFamily::kRandomizedResponse),
        spec_of(two_numbers(), codebook, ChannelFamily::kSubsetSelection),
        spec_of(two_numbers(), codebook, ChannelFamily::kHadamardResponse),
        spec_of(two_numbers(), FeatureBoxSpec{3}, ChannelFamily::kDuchi),
        spec_of(number_and_category(), FeatureBoxSpec{2}, ChannelFamily::kFeatureLaplace)}) {
    SCOPED_TRACE(name_of(spec.channel));
    Release release = release_of(spec, "1");
    auto records = hostile_pairs();
    records.push_back({120, 2});
    const auto points = points_of(release, records);
    EXPECT_GE(points.size(), 4U);
    EXPECT_NEAR(worst_log_ratio(release, points), 1, kSlack);
  }
}

// The exponential channel's weights are multiples of 2^−24: it comes near ε, and stays below.
TEST(Release, KeepsTheRatioWithinEpsilonForCodesWithDistances) {
  Release release = release_of(spec_of(two_numbers(), three_distant_codes(), ChannelFamily::kExponential), "1");
  const auto points = points_of(release, hostile_pairs());
  EXPECT_EQ(points.size(), 3U);
  const double worst = worst_log_ratio(release, points);
  EXPECT_LE(worst, 1 + kSlack);
  EXPECT_GT(worst, 1 - 1e-5);
}

// Maps as a careless program would: what the processor makes of NaN, without a look at it.
class UncheckedCast final : public Constraint {
 public:
  explicit UncheckedCast(L1Ball ball) : Constraint(ball, ball.dimension), resolution_(ball.resolution) {}

 private:
  static std::int64_t cast(float value) {  // x86's cvttss2si; in C++ the cast itself would be undefined
    return std::abs(value) < 0x1p63F ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
  }
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    for (std::size_t i = 0; i < encoded.size(); ++i) point[i] = cast(encoded[i] * static_cast<float>(resolution_));
  }
  std::int64_t resolution_;
};

// Normalises in floating point and rounds to nearest: most sums are G, some are G + 1.
class RoundedInFloatingPoint final : public Constraint {
 public:
  explicit RoundedInFloatingPoint(L1Ball ball) : Constraint(ball, ball.dimension), resolution_(ball.resolution) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    float norm = 0;
    for (const float value : encoded) norm += std::abs(value);
    for (std::size_t i = 0; i < encoded.size(); ++i)
      point[i] = std::lround(encoded[i] / std::max(norm, 1.0F) * static_cast<float>(resolution_));
  }
  std::int64_t resolution_;
};

// The code of the error that a channel throws at the point, or nothing; and no report in that case.
std::optional<ErrorCode> refusal_of_channel(const Constraint& constraint, const std::vector<float>& encoded,
                                            Values& point) {
  const auto channel = make_lattice_laplace(std::get<L1Ball>(constraint.domain()), epsilon("1")).value_or_throw();
  FlakyEntropy entropy(1'000);
  point.assign(encoded.size(), 0);
  constraint.constrain(encoded, point).or_throw();
  Values report(encoded.size(), 77);
  try {
    channel->sample(point, entropy, report);
    return std::nullopt;
  } catch (const Failure& failure) {
    EXPECT_EQ(report, Values(encoded.size(), 77)) << "something was released";
    EXPECT_EQ(entropy.pages_taken(), 0);
    return failure.error().code;
  }
}

TEST(Mutants, ANanThatPassesTheConstraintIsRefusedByTheChannel) {
  const L1Ball ball{2, 64};
  const UncheckedCast mutant(ball);
  const auto sound = make_l1_lattice(ball, 1).value_or_throw();
  Values point;
  EXPECT_EQ(refusal_of_channel(mutant, {0.5F, -0.25F}, point), std::nullopt);  // finite values look harmless
  for (const auto& encoded : std::vector<std::vector<float>>{{kNan, 0}, {0, kNan}, {kInfinity, 0}, {0, -kInfinity}}) {
    EXPECT_EQ(refusal_of_channel(mutant, encoded, point), ErrorCode::kInvalidArgument);
    EXPECT_EQ(refusal_of_channel(*sound, encoded, point), std::nullopt);
  }
}

TEST(Mutants, ASumOfOneTooManyIsRefusedByTheChannel) {
  const L1Ball ball{3, 5};
  const RoundedInFloatingPoint mutant(ball);
  const auto sound = make_l1_lattice(ball, 1).value_or_throw();
  Values point;
  EXPECT_EQ(refusal_of_channel(mutant, {1, 0, 0}, point), std::nullopt);
  const std::vector<float> encoded = {0.32F, 0.32F, 0.34F};  // 1.6, 1.6 and 1.7 steps
  EXPECT_EQ(refusal_of_channel(mutant, encoded, point), ErrorCode::kInvalidArgument);
  EXPECT_EQ(point, (Values{2, 2, 2}));  // G + 1
  EXPECT_EQ(refusal_of_channel(*sound, encoded, point), std::nullopt);
}

TEST(Release, RefusesInputOfTheWrongSizeWithoutAReportOrARandomByte) {
  struct Case {
    std::vector<float> records;
    std::vector<std::int32_t> labels;
    std::size_t count, room;
    const char* words;
  };
  Release release = labelled_release();
  const std::size_t length = release.report_length();
  for (const Case& c : std::vector<Case>{{{0.25F}, {0}, 1, length, "record values: expected 2, got 1"},
                                         {{0.25F, 0, 0}, {0}, 1, length, "record values: expected 2, got 3"},
                                         {{}, {0}, 1, length, "record values: expected 2, got 0"},
                                         {{0.25F, 0}, {}, 1, length, "labels: expected 1, got 0"},
                                         {{0.25F, 0}, {0, 1}, 1, length, "labels: expected 1, got 2"},
                                         {{0.25F, 0}, {0}, 1, length - 1, "room for report values"},
                                         {{0.25F, 0}, {0}, 1, length + 1, "room for report values"},
                                         {{0.25F, 0}, {0}, 0, 0, "record values"},
                                         {{0.25F, 0}, {-1}, 1, length, "label of record 1"},
                                         {{0.25F, 0}, {3}, 1, length, "label of record 1"},
                                         {{0.25F, 0, 0, 0}, {2, 987654}, 2, 2 * length, "label of record 2"}}) {
    FlakyEntropy entropy(0);
    Values reports(c.room, 77);
    const std::string words =
        refusal(release.privatize(c.records, c.labels, c.count, entropy, reports), ErrorCode::kInvalidInput);
    EXPECT_TRUE(contains(words, c.words)) << words;
    EXPECT_FALSE(contains(words, "0.25") || contains(words, "987654")) << words;
    EXPECT_TRUE(is_all_zero(reports));
    EXPECT_EQ(entropy.pages_taken(), 0);
  }
}

TEST(Release, RefusesACountWhoseProductsOverflow) {
  Release release = release_of(l1_spec(64), "1");
  FlakyEntropy entropy(0);
  refusal(release.privatize({}, {}, std::size_t{1} << 63, entropy, {}), ErrorCode::kInvalidInput);
  EXPECT_EQ(entropy.pages_taken(), 0);
}

TEST(Release, RefusesLabelsWhenNoShareOfEpsilonIsSetAsideForThem) {
  Release release = mechanism_of(labelled_spec()).release({epsilon("1"), Delta::zero(), std::nullopt}).value_or_throw();
  FlakyEntropy entropy(0);
  Values report(2, 77);
  const Status status = release.privatize(std::vector<float>{0, 0}, std::vector<std::int32_t>{1}, 1, entropy, report);
  EXPECT_TRUE(contains(refusal(status, ErrorCode::kInvalidInput), "lambda"));
  EXPECT_TRUE(is_all_zero(report));
}

TEST(Release, ReleasesNothingOfABatchWhenEntropyFailsInItsMiddleAndWorksAgainLater) {
  constexpr std::size_t kCount = 2'000;
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    SCOPED_TRACE(name_of(spec.channel));
    Release release = release_of(spec, "2");
    const std::vector<float> records(2 * kCount, 0.25F);
    for (const int pages : {0, 1}) {
      FlakyEntropy entropy(pages);
      Values reports(kCount * release.report_length(), 77);
      refusal(release.privatize(records, {}, kCount, entropy, reports), ErrorCode::kEntropyFailure);
      EXPECT_EQ(entropy.pages_taken(), pages);
      EXPECT_TRUE(is_all_zero(reports));
      entropy.repair();
      ASSERT_TRUE(release.privatize(records, {}, kCount, entropy, reports));
      EXPECT_FALSE(is_all_zero(reports));
    }
  }
}

TEST(Release, ReleasesNothingOfABatchWhenMemoryEndsInItsMiddle) {
  constexpr std::size_t kCount = 2'000;
  Release release = release_of(l1_spec(64), "2");
  const std::vector<float> records(2 * kCount, 0.25F);
  FlakyEntropy entropy(1, FlakyEntropy::Fault::kNoMemory);
  Values reports(kCount * release.report_length(), 77);
  EXPECT_EQ(refusal(release.privatize(records, {}, kCount, entropy, reports), ErrorCode::kIo), "out of memory");
  EXPECT_EQ(entropy.pages_taken(), 1);
  EXPECT_TRUE(is_all_zero(reports));
}

TEST(Release, GivesABatchTheReportsThatItsRecordsWouldGetOneByOne) {
  MechanismSpec linear = labelled_spec();
  linear.encoder = Network::make(2, {dense(2, 3), dense(3, 2, Activation::kRelu)}).value_or_throw();
  for (const MechanismSpec& spec : {labelled_spec(), linear}) {
    Release release = mechanism_of(spec).release({epsilon("1.4"), Delta::zero(), lambda("0.7")}).value_or_throw();
    std::vector<float> records;
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 50; ++i) {
      records.insert(records.end(), {static_cast<float>(i % 7) / 8, static_cast<float>(i % 5 - 2) / 4});
      labels.push_back(i % 3);
    }
    Values batch(labels.size() * 3), single(labels.size() * 3);
    SeededEntropy for_batch(9), for_single(9);
    ASSERT_TRUE(release.privatize(records, labels, labels.size(), for_batch, batch));
    for (std::size_t i = 0; i < labels.size(); ++i)
      ASSERT_TRUE(release.privatize(std::span(records).subspan(2 * i, 2), std::span(labels).subspan(i, 1), 1,
                                    for_single, std::span(single).subspan(3 * i, 3)));
    EXPECT_EQ(batch, single);
    EXPECT_EQ(for_batch.take<std::uint64_t>(), for_single.take<std::uint64_t>());
  }
}

TEST(Release, TakesAnEmptyBatch) {
  Release release = labelled_release();
  FlakyEntropy entropy(0);
  EXPECT_TRUE(release.privatize({}, {}, 0, entropy, {}));
}

TEST(Release, WritesReportsThatItsCodecReadsBack) {
  Release release = labelled_release();
  Entropy entropy;
  Values report(3), read(3);
  ASSERT_TRUE(release.privatize(std::vector<float>{0.5F, kNan}, std::vector<std::int32_t>{2}, 1, entropy, report));
  std::string line;
  release.codec().append_ndjson(report, line);
  ASSERT_TRUE(release.codec().read_ndjson(line, read));
  EXPECT_EQ(read, report);
}

TEST(Release, TellsWhereARecordLandsBeforeTheNoise) {
  Release release = release_of(l1_spec(4), "1");
  EXPECT_EQ(release.point_of(std::vector<float>{0.5F, -0.25F}).value_or_throw(), (Values{2, -1}));
  EXPECT_EQ(release.point_of(std::vector<float>{kNan, kInfinity}).value_or_throw(), (Values{0, 0}));
  EXPECT_TRUE(
      contains(refusal(release.point_of(std::vector<float>{1}), ErrorCode::kInvalidInput), "expected 2, got 1"));
}

}  // namespace
}  // namespace sotto
