#include "sotto/mechanism/feature_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/describe.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using Values = std::vector<std::int64_t>;

// Points and records are not reports, though their integers look alike.
template <typename T>
constexpr bool kDecodes = std::is_invocable_v<decltype(&FeatureDecoder::decode), FeatureDecoder&, T, std::span<float>>;
static_assert(kDecodes<const ReportBatch&>);
static_assert(!kDecodes<Values> && !kDecodes<Point> && !kDecodes<Report> && !kDecodes<std::vector<float>>);

ReportBatch batch_of(const Mechanism& mechanism, std::string_view epsilon_text, const std::vector<Values>& reports) {
  ReportBatch batch(mechanism.release(parameters_for(mechanism.spec().channel, epsilon_text)).value_or_throw());
  for (const Values& report : reports) {
    std::string line;
    batch.release().codec().append_ndjson(report, line);
    batch.append_ndjson(line).or_throw();
  }
  return batch;
}

std::vector<float> decode(const MechanismSpec& spec, const std::vector<Values>& reports) {
  const Mechanism mechanism = mechanism_of(spec);
  FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
  std::vector<float> records(reports.size() * decoder.width(), 77);
  decoder.decode(batch_of(mechanism, "1", reports), records).or_throw();
  return records;
}

TEST(FeatureDecoder, TakesLatticeStepsForTheirLengthInTheEncodersUnits) {
  MechanismSpec spec = spec_of(two_numbers(), L1LatticeSpec{2, 8}, ChannelFamily::kLatticeLaplace);
  const std::vector<Values> reports = {{2, -1}, {0, 3}};
  EXPECT_EQ(decode(with_decoder(spec, {}, OutputMap::kNone), reports), (std::vector<float>{0.5F, -0.25F, 0, 0.75F}));
  spec = with_decoder(spec, {DenseLayer{2, 2, {0, 1, 1, 0}, {0.125F, 0}, Activation::kNone}}, OutputMap::kNone);
  EXPECT_EQ(decode(spec, reports), (std::vector<float>{-0.125F, 0.5F, 0.875F, 0}));
  spec.constraint = L2LatticeSpec{2, 8};
  spec.channel = ChannelFamily::kLatticeGaussian;
  EXPECT_EQ(decode(spec, reports), (std::vector<float>{-0.125F, 0.5F, 0.875F, 0}));
}

TEST(FeatureDecoder, TakesACodeForItsCentroid) {
  const MechanismSpec spec =
      spec_of(two_numbers(), CodebookSpec{{-1, 0, 0.5F, 0.25F, 0, 1}}, ChannelFamily::kRandomizedResponse);
  EXPECT_EQ(decode(with_decoder(spec, {}, OutputMap::kNone), {{1}, {2}, {0}}),
            (std::vector<float>{0.5F, 0.25F, 0, 1, -1, 0}));
}

TEST(FeatureDecoder, ClampsToTheBoundsOfTheSchemaAndGivesCategoriesThatExist) {
  const MechanismSpec numbers = with_decoder(l1_spec(1), {}, OutputMap::kNone);
  EXPECT_EQ(decode(numbers, {{5, -7}}), (std::vector<float>{1, -1}));
  const MechanismSpec pixels =
      with_decoder(spec_of(image(1, 1, 2), L1LatticeSpec{1, 4}, ChannelFamily::kLatticeLaplace), {}, OutputMap::kNone);
  EXPECT_EQ(decode(pixels, {{5, -7}, {1, 2}}), (std::vector<float>{1, 0, 0.25F, 0.5F}));
  const MechanismSpec table = with_decoder(
      spec_of(number_and_category(), L1LatticeSpec{4, 16}, ChannelFamily::kLatticeLaplace), {}, OutputMap::kNone);
  EXPECT_EQ(decode(table, {{-1, 5}, {600, 7}, {4, 90}, {8, -9}}),  // 5 quarters is nearest to 1, 7 quarters to 2
            (std::vector<float>{0, 1, 120, 2, 1, 2, 2, 0}));
}

TEST(FeatureDecoder, PutsASigmoidOntoTheBounds) {
  const MechanismSpec pixels = with_decoder(
      spec_of(image(1, 1, 2), L1LatticeSpec{1, 4}, ChannelFamily::kLatticeLaplace), {}, OutputMap::kSigmoid);
  const auto pixel = decode(pixels, {{0, 4}, {-4, 300}});
  EXPECT_EQ(pixel[0], 0.5F);
  EXPECT_NEAR(pixel[1], 1 / (1 + std::exp(-1.0)), 1e-7);
  EXPECT_NEAR(pixel[2], 1 / (1 + std::exp(1.0)), 1e-7);
  EXPECT_EQ(pixel[3], 1);
  const auto person = decode(with_decoder(spec_of(number_and_category(), L1LatticeSpec{1, 4},  //
                                                  ChannelFamily::kLatticeLaplace),
                                          {}, OutputMap::kSigmoid),
                             {{0, 0}, {4, -300}});
  EXPECT_EQ(person[0], 60);
  EXPECT_EQ(person[1], 1);
  EXPECT_NEAR(person[2], 120 / (1 + std::exp(-1.0)), 1e-4);
  EXPECT_EQ(person[3], 0);
}

TEST(FeatureDecoder, KeepsWithinTheBoundsWhenHostileWeightsOverflow) {
  for (const OutputMap output : {OutputMap::kNone, OutputMap::kSigmoid}) {
    const MechanismSpec spec =
        with_decoder(spec_of(image(1, 1, 2), L1LatticeSpec{1e6, 4}, ChannelFamily::kLatticeLaplace),
                     {DenseLayer{2, 2, {3e38F, 3e38F, -3e38F, 1}, {0, 0}, Activation::kNone},
                      DenseLayer{2, 2, {1, -1, 1, 1}, {0, 0}, Activation::kNone}},
                     output);
    for (const float value : decode(spec, {{4, 0}, {4, -4}, {-4, 4}, {300, 300}})) {
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 1);
    }
  }
}

TEST(FeatureDecoder, DecodesABatchAsItsReportsOneByOneAndLeavesTheLabelOut) {
  MechanismSpec spec = with_decoder(l1_spec(64), {dense(2, 5, Activation::kTanh), dense(5, 2)}, OutputMap::kNone);
  spec.label = three_classes();
  const Mechanism mechanism = mechanism_of(spec);
  const Release release = mechanism.release({epsilon("4"), Delta::zero(), lambda("0.7")}).value_or_throw();
  ReportBatch batch(release), single(release);
  SeededEntropy entropy(5);
  ASSERT_TRUE(batch.privatize(std::vector<float>(100, 0.25F), std::vector<std::int32_t>(50, 1), 50, entropy));
  FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
  std::vector<float> records(100), record(2);
  ASSERT_TRUE(decoder.decode(batch, records));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    std::string line;
    release.codec().append_ndjson(batch[i], line);
    single.clear();
    ASSERT_TRUE(single.append_ndjson(line));
    ASSERT_TRUE(decoder.decode(single, record));
    EXPECT_NEAR(record[0], records[2 * i], 1e-6);  // matrix and vector products may add up in another order
    EXPECT_NEAR(record[1], records[2 * i + 1], 1e-6);
  }
  EXPECT_TRUE(std::any_of(records.begin(), records.end(), [&](float value) { return value != records[0]; }));
}

// What a code stands for is known of every codebook; which code a report means, of some channels only.
TEST(FeatureDecoder, DecodesCentroidsWhateverTheChannelButReportsOfOneCodeOnly) {
  const std::vector<float> centroids = {-1, 0, 0.5F, 0.25F, 0, 1};
  for (const ChannelFamily channel :
       {ChannelFamily::kRandomizedResponse, ChannelFamily::kSubsetSelection, ChannelFamily::kHadamardResponse}) {
    const Mechanism mechanism =
        mechanism_of(with_decoder(spec_of(two_numbers(), CodebookSpec{centroids}, channel), {}, OutputMap::kNone));
    FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
    std::vector<float> records(6);
    decoder.decode_clean(centroids, 3, records);
    EXPECT_EQ(records, centroids);
    ReportBatch batch(mechanism.release({epsilon("1")}).value_or_throw());
    SeededEntropy entropy(3);
    ASSERT_TRUE(batch.privatize(std::vector<float>{0, 1}, {}, 1, entropy));
    std::vector<float> record = {77, 77};
    const Status status = decoder.decode(batch, record);
    if (channel == ChannelFamily::kRandomizedResponse) {
      EXPECT_TRUE(status);
      continue;
    }
    const std::string message = refusal(status, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(contains(message, "channel " + std::string(name_of(channel)) + " stands for many codes")) << message;
    EXPECT_EQ(record, (std::vector<float>{77, 77}));
    EXPECT_FALSE(decoder.accepts(batch.release()));
  }
}

TEST(FeatureDecoder, RefusesMechanismsWithoutADecoderReportsOfAnotherAndTooLittleRoom) {
  const Mechanism plain = mechanism_of(l1_spec(64));
  EXPECT_TRUE(contains(refusal(FeatureDecoder::make(plain), ErrorCode::kInvalidArgument), "has no decoder"));
  const Mechanism mechanism = mechanism_of(with_decoder(l1_spec(64), {}, OutputMap::kNone));
  FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
  std::vector<float> records(2);
  refusal(decoder.decode(batch_of(plain, "1", {{1, 1}}), records), ErrorCode::kInvalidArgument);
  refusal(decoder.decode(batch_of(mechanism, "1", {{1, 1}, {2, 2}}), records), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(decoder.decode(batch_of(mechanism, "1", {{1, 1}}), records));
  EXPECT_TRUE(decoder.decode(batch_of(mechanism, "2", {{1, 1}}), records)) << "epsilon does not matter";
}

TEST(Describe, NamesTheDecoder) {
  const auto line_of = [](const MechanismSpec& spec) {
    for (const auto& [key, value] : describe(mechanism_of(spec)))
      if (key == "decoder") return value;
    return std::string();
  };
  EXPECT_EQ(line_of(l1_spec(4)), "none");
  EXPECT_EQ(line_of(with_decoder(l1_spec(4), {}, OutputMap::kNone)), "identity");
  EXPECT_EQ(line_of(with_decoder(l1_spec(4), {dense(2, 3, Activation::kElu), dense(3, 2)}, OutputMap::kSigmoid)),
            "2 -> 3 elu -> 2 sigmoid (12 multiplications a record)");
}

}  // namespace
}  // namespace sotto
