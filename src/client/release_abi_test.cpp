#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sotto/client/abi_test.h"
#include "sotto/client/options.h"

namespace sotto::client {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kHostile[] = {0, -0.0F, 1, -1, 1e38F, -1e38F, kNan, HUGE_VALF, -HUGE_VALF, 1e-45F};

bool is_inexact(const MechanismSpec& spec) {
  return spec.channel == ChannelFamily::kPiecewise || spec.channel == ChannelFamily::kHybrid ||
         spec.channel == ChannelFamily::kPrivUnit;
}

sotto_release_options options_for(ChannelFamily family) {
  sotto_release_options options = options_of("2");
  if (family == ChannelFamily::kLatticeGaussian) options.delta = "1e-5";
  return options;
}

sotto_status try_open(const MechanismHandle& mechanism, const sotto_release_options* options) {
  auto* release = reinterpret_cast<sotto_release*>(8);
  const sotto_status status = sotto_release_open(mechanism.get(), options, &release);
  EXPECT_EQ(status == SOTTO_OK, release != nullptr);
  EXPECT_NE(release, reinterpret_cast<sotto_release*>(8));
  sotto_release_free(release);
  return status;
}

TEST(ReleaseAbi, SaysWhatItPromises) {
  const MechanismHandle mechanism = load(labelled(l1_spec(64)));
  const ReleaseHandle release = open(mechanism, with_lambda("3/2", "0.5"));
  const std::string words = sotto_release_description(release.get());
  EXPECT_TRUE(contains(words, "epsilon = 1.5, exact, between any two records")) << words;
  EXPECT_TRUE(contains(words, "4.482 times as likely")) << words;
  EXPECT_TRUE(contains(words, std::to_string(sotto_release_report_size(release.get(), SOTTO_CBOR)) + " as CBOR"));
  EXPECT_EQ(sotto_release_takes_labels(release.get()), 1);
  EXPECT_EQ(sotto_release_takes_labels(open(mechanism, with_joint_label("1")).get()), 1);
  EXPECT_EQ(sotto_release_takes_labels(open(mechanism, options_of("1")).get()), 0);
}

TEST(ReleaseAbi, OutlivesItsMechanism) {
  MechanismHandle mechanism = load(l1_spec(64));
  const ReleaseHandle release = open(mechanism, options_of("1"));
  mechanism.reset();
  EXPECT_FALSE(is_all_zero(privatize(release, {0.5F, 0.25F})));
}

TEST(ReleaseAbi, HasNoDefaultEpsilonAndTakesOnlyWhatTheLibraryParses) {
  const MechanismHandle mechanism = load(labelled(l1_spec(64)));
  const sotto_release_options none = options_of(nullptr);
  expect_refusal(try_open(mechanism, &none), SOTTO_INVALID_ARGUMENT, "no default");
  for (const char* text : {"", "0", "-1", "much", "nan", "inf", "1e400", "101", "1,5", " 1", "1/0"}) {
    const sotto_release_options options = options_of(text);
    expect_refusal(try_open(mechanism, &options), SOTTO_INVALID_ARGUMENT, "epsilon");
    const sotto_release_options share = with_lambda("1", text);
    expect_refusal(try_open(mechanism, &share), SOTTO_INVALID_ARGUMENT, "lambda");
  }
  sotto_release_options options = options_of("1");
  options.delta = "0.5";
  expect_refusal(try_open(mechanism, &options), SOTTO_INVALID_ARGUMENT, "delta");
  options = with_lambda("1", "0.5");
  options.joint_label = 1;
  expect_refusal(try_open(mechanism, &options), SOTTO_INVALID_ARGUMENT, "joint");
  options = options_of("1");
  options.joint_label = 2;
  expect_refusal(try_open(mechanism, &options), SOTTO_INVALID_ARGUMENT, "joint_label");
  options = options_of("1");
  options.reserved = 1;
  expect_refusal(try_open(mechanism, &options), SOTTO_INVALID_ARGUMENT, "reserved");
  const sotto_release_options joint = with_joint_label("1");
  expect_refusal(try_open(load(l1_spec(64)), &joint), SOTTO_INVALID_ARGUMENT, "no label");
}

TEST(ReleaseAbi, RefusesInexactChannelsAndTakesAllOthers) {
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    SCOPED_TRACE(name_of(spec.channel));
    const sotto_release_options options = options_for(spec.channel);
    const sotto_status status = try_open(load(spec), &options);
    if (is_inexact(spec))
      expect_refusal(status, SOTTO_UNSUPPORTED, "floating point");
    else
      EXPECT_EQ(status, SOTTO_OK) << sotto_last_error();
  }
}

TEST(ReleaseAbi, UnderstandsStructuresOfOtherVersionsOrSaysThatItDoesNot) {
  const MechanismHandle mechanism = load(l1_spec(64));
  struct Later {
    sotto_release_options known;
    const char* unknown = nullptr;
  } later{options_of("1")};
  later.known.struct_size = sizeof(later);
  EXPECT_EQ(try_open(mechanism, &later.known), SOTTO_OK) << sotto_last_error();
  later.unknown = "important";
  expect_refusal(try_open(mechanism, &later.known), SOTTO_UNSUPPORTED, "does not know");
  for (const std::size_t size : {std::size_t{0}, sizeof(sotto_release_options) - 1, std::size_t{1} << 40}) {
    sotto_release_options options = options_of("1");
    options.struct_size = size;
    expect_refusal(try_open(mechanism, &options), SOTTO_INVALID_ARGUMENT, "struct_size");
  }
}

TEST(ReleaseAbi, RefusesNullEverywhere) {
  const MechanismHandle mechanism = load(l1_spec(64));
  const sotto_release_options options = options_of("1");
  expect_refusal(try_open(MechanismHandle(), &options), SOTTO_INVALID_ARGUMENT, "NULL");
  expect_refusal(try_open(mechanism, nullptr), SOTTO_INVALID_ARGUMENT, "NULL");
  expect_refusal(sotto_release_open(mechanism.get(), &options, nullptr), SOTTO_INVALID_ARGUMENT, "NULL");
  EXPECT_EQ(sotto_release_description(nullptr), nullptr);
  EXPECT_EQ(sotto_release_takes_labels(nullptr), 0);
  EXPECT_EQ(sotto_release_report_size(nullptr, SOTTO_CBOR), 0U);
  sotto_release_free(nullptr);

  const ReleaseHandle release = open(mechanism, options);
  const float record[] = {0, 0};
  Bytes report(sotto_release_report_size(release.get(), SOTTO_CBOR), 1);
  const auto call = [&](const sotto_release* r, const float* values, std::size_t labels, void* reports) {
    return sotto_privatize(r, values, 2, nullptr, labels, SOTTO_CBOR, reports, report.size());
  };
  expect_refusal(call(nullptr, record, 0, report.data()), SOTTO_INVALID_ARGUMENT, "release: NULL");
  expect_refusal(call(release.get(), nullptr, 0, report.data()), SOTTO_INVALID_ARGUMENT, "values: NULL");
  expect_refusal(call(release.get(), record, 1, report.data()), SOTTO_INVALID_ARGUMENT, "labels: NULL");
  EXPECT_TRUE(is_all_zero(report));
  expect_refusal(call(release.get(), record, 0, nullptr), SOTTO_INVALID_ARGUMENT, "reports: NULL");
}

// As the collector reads them, with the same library: possible reports of this very release.
TEST(ReleaseAbi, AnswersHostileRecordsOfEveryExactFamilyWithReportsOfTheSizeAnnounced) {
  std::vector<float> values;
  for (const float x : kHostile)
    for (const float y : kHostile) values.insert(values.end(), {x, y});
  const std::size_t count = values.size() / 2;
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    if (is_inexact(spec)) continue;
    SCOPED_TRACE(name_of(spec.channel));
    const ReleaseHandle release = open(spec, options_for(spec.channel));
    const Release reader = release_of(spec, "2");
    const Bytes cbor = privatize(release, values, count);
    const Bytes ndjson = privatize(release, values, count, {}, SOTTO_NDJSON);
    ASSERT_EQ(cbor.size(), count * reader.codec().cbor_length());
    ASSERT_EQ(ndjson.size(), count * reader.codec().ndjson_length());
    std::vector<std::int64_t> report(reader.report_length());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = cbor.size() / count, length = ndjson.size() / count;
      ASSERT_TRUE(reader.codec().read_cbor(std::span(cbor).subspan(i * size, size), report));
      EXPECT_TRUE(reader.channel().is_possible(report));
      const std::string line(ndjson.begin() + static_cast<std::ptrdiff_t>(i * length),
                             ndjson.begin() + static_cast<std::ptrdiff_t>((i + 1) * length));
      ASSERT_EQ(line.find('\n'), line.size() - 1);
      ASSERT_TRUE(reader.codec().read_ndjson(line, report));
      EXPECT_TRUE(reader.channel().is_possible(report));
    }
  }
}

// More records than are taken at a time, and labels that tell one from the next: with so large an epsilon most survive.
TEST(ReleaseAbi, KeepsRecordsAndLabelsOfALongBatchTogether) {
  constexpr std::size_t kCount = 1000;
  const MechanismSpec spec =
      labelled(spec_of(two_numbers(), CodebookSpec{{-1, 0, 1, 0, 0, 1}}, ChannelFamily::kRandomizedResponse));
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t code = i % 3;
    values.insert(values.end(), {code == 0 ? -1.0F : code == 1 ? 1.0F : 0.0F, code == 2 ? 1.0F : 0.0F});
    labels.push_back(static_cast<std::int32_t>((i / 3) % 3));
  }
  const ReleaseHandle release = open(spec, with_lambda("40", "0.5"));
  const Bytes reports = privatize(release, values, kCount, labels);
  const Release reader = mechanism_of(spec).release({epsilon("40"), Delta::zero(), lambda("0.5")}).value_or_throw();
  std::vector<std::int64_t> report(2);
  for (std::size_t i = 0; i < kCount; ++i) {  // each differs with a probability of 4e-9
    const std::size_t size = reports.size() / kCount;
    ASSERT_TRUE(reader.codec().read_cbor(std::span(reports).subspan(i * size, size), report));
    EXPECT_EQ(report[0], static_cast<std::int64_t>(i % 3));
    EXPECT_EQ(report[1], labels[i]);
  }
}

TEST(ReleaseAbi, RefusesWrongSizesAndZeroesWhatItWasGiven) {
  const ReleaseHandle release = open(labelled(l1_spec(64)), with_lambda("1", "0.5"));
  const std::size_t size = sotto_release_report_size(release.get(), SOTTO_CBOR);
  const float values[] = {0.5F, 0.25F, 0, 1, 0.75F};
  const std::int32_t labels[] = {0, 1};
  struct Case {
    std::size_t values, labels, reports;
    sotto_format format;
    sotto_status status;
    const char* message;
  };
  const Case cases[] = {{0, 0, size, SOTTO_CBOR, SOTTO_INVALID_INPUT, "record values"},
                        {1, 1, size, SOTTO_CBOR, SOTTO_INVALID_INPUT, "record values"},
                        {3, 1, size, SOTTO_CBOR, SOTTO_INVALID_INPUT, "record values"},
                        {5, 2, 2 * size, SOTTO_CBOR, SOTTO_INVALID_INPUT, "record values"},
                        {2, 0, size, SOTTO_CBOR, SOTTO_INVALID_INPUT, "labels"},
                        {2, 2, size, SOTTO_CBOR, SOTTO_INVALID_INPUT, "labels"},
                        {2, 1, size - 1, SOTTO_CBOR, SOTTO_INVALID_ARGUMENT, "reports_size"},
                        {2, 1, size + 1, SOTTO_CBOR, SOTTO_INVALID_ARGUMENT, "reports_size"},
                        {4, 2, size, SOTTO_CBOR, SOTTO_INVALID_ARGUMENT, "reports_size"},
                        {2, 1, 0, SOTTO_CBOR, SOTTO_INVALID_ARGUMENT, "reports_size"},
                        {2, 1, size, SOTTO_NDJSON, SOTTO_INVALID_ARGUMENT, "reports_size"},
                        {2, 1, size, 0, SOTTO_INVALID_ARGUMENT, "format"},
                        {2, 1, size, 3, SOTTO_INVALID_ARGUMENT, "format"}};
  for (const Case& c : cases) {
    Bytes reports(c.reports + 1, 0xEE);
    expect_refusal(
        sotto_privatize(release.get(), values, c.values, labels, c.labels, c.format, reports.data(), c.reports),
        c.status, c.message);
    EXPECT_EQ(reports.back(), 0xEE) << "wrote beyond the buffer";
    reports.pop_back();
    EXPECT_TRUE(is_all_zero(reports));
  }
  EXPECT_EQ(sotto_release_report_size(release.get(), 3), 0U);
}

TEST(ReleaseAbi, NeverQuotesARecordOrALabel) {
  const ReleaseHandle release = open(labelled(l1_spec(64)), with_joint_label("1"));
  const float values[] = {0.123456F, 0.654321F};
  Bytes report(sotto_release_report_size(release.get(), SOTTO_CBOR), 1);
  for (const std::int32_t label : {-1, 3, 777777}) {
    expect_refusal(sotto_privatize(release.get(), values, 2, &label, 1, SOTTO_CBOR, report.data(), report.size()),
                   SOTTO_INVALID_INPUT, "label of record 1");
    const std::string message = sotto_last_error();
    EXPECT_FALSE(contains(message, "0.1234") || contains(message, "777777") || contains(message, "-1")) << message;
    EXPECT_TRUE(is_all_zero(report));
  }
  const ReleaseHandle without = open(labelled(l1_spec(64)), options_of("1"));
  const std::int32_t label = 2;
  expect_refusal(sotto_privatize(without.get(), values, 2, &label, 1, SOTTO_CBOR, report.data(), report.size()),
                 SOTTO_INVALID_INPUT, "labels: given");
}

TEST(ReleaseAbi, GivesDifferentReportsAboutOneRecord) {
  const ReleaseHandle release = open(l1_spec(65536), options_of("0.1"));
  EXPECT_NE(privatize(release, {0.5F, 0}), privatize(release, {0.5F, 0}));  // equal with a probability below 1e-11
}

}  // namespace
}  // namespace sotto::client
