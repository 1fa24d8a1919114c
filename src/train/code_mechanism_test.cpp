#include "sotto/train/code_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sotto/data/blobs_test.h"
#include "sotto/mechanism/code_usage.h"
#include "sotto/train/laplace_mechanism.h"

namespace sotto {
namespace {

// Passes records on as they are: blobs lie in four directions, told apart without training.
Network identity(std::size_t width) {
  DenseLayer layer{width, width, std::vector<float>(width * width, 0), std::vector<float>(width, 0), Activation::kRelu};
  for (std::size_t i = 0; i < width; ++i) layer.weights[i * width + i] = 1;
  return Network::make(width, {layer}).value_or_throw();
}

class CodeMechanism : public testing::Test {
 protected:
  Result<CodeFit> fit(const CodeOptions& options) const {
    return code_mechanism(identity(blobs_.width), blobs_, input_, LabelSchema{"kind", {"a", "b", "c", "d"}}, options,
                          {{"method", "codes"}});
  }
  Result<CodeFit> fit(std::size_t codes) const { return fit({.assignment = {.codes = codes}}); }

  Dataset blobs_ = make_blobs(203, 1);
  InputSchema input_{ImageShape{1, 3, 4}, {}};
};

TEST_F(CodeMechanism, GivesEveryBlobACodeOfItsOwnOnTheDeviceAsInTheClustering) {
  const CodeFit coded = fit(4).value_or_throw();
  const Mechanism mechanism = Mechanism::make(coded.spec).value_or_throw();
  EXPECT_EQ(code_count(mechanism).value_or_throw(), 4U);
  const auto codes = codes_of(mechanism, blobs_).value_or_throw();
  ASSERT_EQ(codes.size(), blobs_.rows);
  EXPECT_EQ((std::set<std::uint32_t>(codes.begin(), codes.begin() + 4).size()), 4U);
  std::vector<std::size_t> sizes(4, 0);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    EXPECT_EQ(codes[row], codes[row % 4]);
    ++sizes[codes[row]];
  }
  EXPECT_EQ(sizes, coded.sizes);
  EXPECT_EQ(codes, coded.code_of);
  EXPECT_EQ(mechanism.spec().provenance.at("method"), "codes");
  const auto usage = code_usage(mechanism.spec());
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->sizes, (std::vector<std::uint64_t>{sizes.begin(), sizes.end()}));
}

// Lengths do not matter to spherical clusters; that the device compares distances must not show.
TEST_F(CodeMechanism, GivesABrighterOrDarkerRecordTheSameCode) {
  const Mechanism mechanism = Mechanism::make(fit(4).value_or_throw().spec).value_or_throw();
  Dataset dark = blobs_;
  for (float& value : dark.values) value *= 0.05F;
  EXPECT_EQ(codes_of(mechanism, dark).value_or_throw(), codes_of(mechanism, blobs_).value_or_throw());
}

TEST_F(CodeMechanism, ReleasesRecordAndLabelTogetherOrApart) {
  const Mechanism mechanism = Mechanism::make(fit(4).value_or_throw().spec).value_or_throw();
  ReleaseParameters joint{Epsilon::parse("1").value_or_throw()};
  joint.joint = true;
  EXPECT_TRUE(mechanism.release(joint));
  EXPECT_TRUE(
      mechanism.release({Epsilon::parse("1").value_or_throw(), Delta::zero(), parse_lambda("0.5").value_or_throw()}));
}

TEST_F(CodeMechanism, MeasuresHowFarCodesAreApartForTheExponentialChannelOnly) {
  EXPECT_TRUE(std::get<CodebookSpec>(fit(6).value_or_throw().spec.constraint).distances.empty());
  for (const std::int64_t levels : {1, 8, 32}) {
    const CodeFit coded =
        fit({.assignment = {.codes = 6}, .channel = ChannelFamily::kExponential, .distortion_levels = levels})
            .value_or_throw();
    const auto& codebook = std::get<CodebookSpec>(coded.spec.constraint);
    ASSERT_EQ(codebook.distances.size(), 36U);
    EXPECT_EQ(*std::max_element(codebook.distances.begin(), codebook.distances.end()), levels);
    const auto apart = [&](std::size_t from, std::size_t to) {
      double sum = 0;
      for (std::size_t i = 0; i < blobs_.width; ++i)
        sum += std::pow(codebook.centroids[from * blobs_.width + i] - codebook.centroids[to * blobs_.width + i], 2);
      return std::sqrt(sum);
    };
    double largest = 0;
    for (std::size_t i = 0; i < 36; ++i) largest = std::max(largest, apart(i / 6, i % 6));
    for (std::size_t i = 0; i < 36; ++i) {
      const double expected = apart(i / 6, i % 6) / largest * static_cast<double>(levels);
      EXPECT_EQ(codebook.distances[i] == 0, i / 6 == i % 6);
      if (expected > 1) {
        EXPECT_NEAR(codebook.distances[i], expected, 0.501);
      }
    }
    EXPECT_TRUE(Mechanism::make(coded.spec));
  }
  for (const std::int64_t levels : {0, 33})
    EXPECT_EQ(fit({.assignment = {.codes = 6}, .distortion_levels = levels}).error().message,
              "distortion levels: must lie between 1 and 32, got " + std::to_string(levels));
}

// Views of a blob are shifted by at most a third of a pixel, so that kinds blend into their neighbours without changing
// places.
TEST_F(CodeMechanism, AHeadKeepsApartWhatViewsDoNotMix) {
  CodeOptions options{.assignment = {.codes = 4, .method = CodeMethod::kHead}};
  options.views.augmentation = {.shift = 0.1F};
  const CodeFit coded = fit(options).value_or_throw();
  EXPECT_EQ((std::set<std::uint32_t>(coded.code_of.begin(), coded.code_of.begin() + 4).size()), 4U);
  for (std::size_t row = 0; row < coded.code_of.size(); ++row) EXPECT_EQ(coded.code_of[row], coded.code_of[row % 4]);
  EXPECT_EQ(codes_of(Mechanism::make(coded.spec).value_or_throw(), blobs_).value_or_throw(), coded.code_of);
  input_ = InputSchema{};
  for (std::size_t i = 0; i < blobs_.width; ++i) input_.columns.emplace_back().name = std::to_string(i);
  EXPECT_FALSE(fit(options)) << "views of a table are no records";
}

// Views that make kinds alike leave less to agree on than there are codes: with the first, moved borders lose one of
// them, with the second also those that were taught.
TEST_F(CodeMechanism, AHeadLeavesNoCodeWithoutRecords) {
  for (const float degrees : {20.0F, 180.0F}) {
    CodeOptions options{.assignment = {.codes = 4, .method = CodeMethod::kHead}};
    options.views.augmentation = {.rotation_degrees = degrees, .shift = 0.3F};
    const CodeFit coded = fit(options).value_or_throw();
    EXPECT_EQ((std::set<std::uint32_t>(coded.code_of.begin(), coded.code_of.end()).size()), 4U) << degrees;
  }
}

TEST_F(CodeMechanism, NamesWhatIsWrong) {
  for (const std::size_t codes : {0UL, 1UL, 204UL}) {
    const auto refused = fit(codes);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("codes: must lie between 2 and the number of auxiliary records, 203, got " +
                                           std::to_string(codes)),
              std::string::npos)
        << refused.error().message;
  }
  for (std::size_t row = 0; row < blobs_.rows; ++row)  // all alike
    std::copy_n(blobs_.values.begin(), blobs_.width,
                blobs_.values.begin() + static_cast<std::ptrdiff_t>(row * blobs_.width));
  const auto refused = fit(2);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("tells only 1 kinds of record apart"), std::string::npos)
      << refused.error().message;
}

TEST_F(CodeMechanism, AnAlignedMechanismHasALatticeAndNoCodes) {
  const Mechanism mechanism =
      Mechanism::make(laplace_mechanism(identity(blobs_.width), 2, input_, std::nullopt, 64, {})).value_or_throw();
  const auto& ball = std::get<L1LatticeSpec>(mechanism.spec().constraint);
  EXPECT_EQ(ball.radius, 2);
  EXPECT_EQ(ball.resolution, 64);
  EXPECT_EQ(mechanism.spec().channel, ChannelFamily::kLatticeLaplace);
  EXPECT_FALSE(code_count(mechanism));
  EXPECT_FALSE(codes_of(mechanism, blobs_));
}

}  // namespace
}  // namespace sotto
