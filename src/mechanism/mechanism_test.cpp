#include "sotto/mechanism/mechanism.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using enum ChannelFamily;

constexpr ChannelFamily kEveryFamily[] = {kLatticeLaplace, kLatticeGaussian,  kRandomizedResponse, kSubsetSelection,
                                          kDuchi,          kFeatureLaplace,   kPiecewise,          kHybrid,
                                          kPrivUnit,       kHadamardResponse, kExponential,        kHyperplaneResponse};

// A constraint on some input, and all the families that have a proof for it.
struct Fit {
  const char* name;
  InputSchema input;
  ConstraintSpec constraint;
  std::vector<ChannelFamily> families;
};

std::vector<Fit> every_fit() {
  return {{"L1 lattice", two_numbers(), L1LatticeSpec{1, 16}, {kLatticeLaplace}},
          {"L2 lattice", two_numbers(), L2LatticeSpec{1, 16}, {kLatticeGaussian, kHyperplaneResponse}},
          {"box of numbers", two_numbers(), FeatureBoxSpec{16}, {kDuchi, kFeatureLaplace, kPiecewise, kHybrid}},
          {"box with a category", number_and_category(), FeatureBoxSpec{16}, {kFeatureLaplace}},
          {"one category",
           one_category(),
           FeatureBoxSpec{16},
           {kRandomizedResponse, kSubsetSelection, kHadamardResponse, kFeatureLaplace}},
          {"direction and length", two_numbers(), DirectionAndLengthSpec{1, 16}, {kPrivUnit}},
          {"codebook",
           two_numbers(),
           CodebookSpec{{0, 0, 1, 1, 2, 2}},
           {kRandomizedResponse, kSubsetSelection, kHadamardResponse, kFeatureLaplace}},
          {"codebook with distances",
           two_numbers(),
           three_distant_codes(),
           {kRandomizedResponse, kSubsetSelection, kHadamardResponse, kExponential, kFeatureLaplace}}};
}

bool is_inexact(ChannelFamily family) { return family == kPiecewise || family == kHybrid || family == kPrivUnit; }

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sotto-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::ptrdiff_t entries() const { return std::distance(std::filesystem::directory_iterator(path_), {}); }

 private:
  std::filesystem::path path_;
};

MechanismSpec labelled_spec() {
  MechanismSpec spec = l1_spec(64);
  spec.label = three_classes();
  return spec;
}

TEST(Mechanism, ExistsForExactlyThePairsOfConstraintAndChannelThatHaveAProof) {
  for (const Fit& fit : every_fit()) {
    for (const ChannelFamily family : kEveryFamily) {
      SCOPED_TRACE(std::string(fit.name) + " with " + std::string(name_of(family)));
      const auto mechanism = Mechanism::make(spec_of(fit.input, fit.constraint, family));
      if (std::find(fit.families.begin(), fit.families.end(), family) == fit.families.end()) {
        const std::string words = refusal(mechanism, ErrorCode::kInvalidArgument);
        EXPECT_TRUE(contains(words, "does not fit") || contains(words, "ordered")) << words;
        continue;
      }
      ASSERT_TRUE(mechanism) << mechanism.error().message;
      const auto release = mechanism->release(parameters_for(family, "1.5"), InexactChannels::kAllowForExperiments);
      ASSERT_TRUE(release) << release.error().message;
      EXPECT_EQ(release->claim().epsilon, epsilon("1.5"));
      EXPECT_EQ(release->claim().exactness, is_inexact(family) ? Exactness::kInexact : Exactness::kExact);
    }
  }
}

TEST(Mechanism, RefusesPartsThatDoNotFitOneAnother) {
  MechanismSpec narrow = l1_spec(16);
  narrow.encoder = Network::make(3, {}).value_or_throw();
  EXPECT_TRUE(contains(refusal(Mechanism::make(narrow), ErrorCode::kInvalidArgument), "takes 3 values"));

  MechanismSpec encoded_box = spec_of(two_numbers(), FeatureBoxSpec{16}, kDuchi);
  encoded_box.encoder = Network::make(2, {dense(2, 2)}).value_or_throw();
  EXPECT_TRUE(contains(refusal(Mechanism::make(encoded_box), ErrorCode::kInvalidArgument), "identity encoder"));

  const CodebookSpec ragged{{1, 2, 3}};
  EXPECT_TRUE(contains(
      refusal(Mechanism::make(spec_of(two_numbers(), ragged, kRandomizedResponse)), ErrorCode::kInvalidArgument),
      "rows of width 2"));
  EXPECT_FALSE(Mechanism::make(spec_of(two_numbers(), CodebookSpec{{1, 2}}, kRandomizedResponse)));  // one code only
  EXPECT_FALSE(Mechanism::make(spec_of(two_numbers(), CodebookSpec{}, kRandomizedResponse)));
  EXPECT_FALSE(Mechanism::make(spec_of(image(1, 1, 1), DirectionAndLengthSpec{1, 16}, kPrivUnit)));

  for (const std::int64_t resolution : {std::int64_t{-1}, std::int64_t{0}, kMaxResolution + 1, INT64_MAX, INT64_MIN})
    EXPECT_TRUE(contains(refusal(Mechanism::make(l1_spec(resolution)), ErrorCode::kInvalidArgument), "resolution"));
  for (const double radius : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e-7, 1e7})
    EXPECT_TRUE(contains(refusal(Mechanism::make(spec_of(two_numbers(), L1LatticeSpec{radius, 16}, kLatticeLaplace)),
                                 ErrorCode::kInvalidArgument),
                         "radius"));
}

TEST(Mechanism, RefusesSchemasThatAreNotValid) {
  MechanismSpec spec = labelled_spec();
  spec.label->classes = {"only"};
  EXPECT_TRUE(contains(refusal(Mechanism::make(spec), ErrorCode::kInvalidArgument), "received 1"));
  spec = labelled_spec();
  spec.input.columns[0].maximum = spec.input.columns[0].minimum;
  EXPECT_TRUE(contains(refusal(Mechanism::make(spec), ErrorCode::kInvalidArgument), "column 1"));
}

TEST(Mechanism, SplitsEpsilonBetweenFeaturesAndLabelWithoutARemainder) {
  const Release release =
      mechanism_of(labelled_spec()).release({epsilon("1.4"), Delta::zero(), lambda("0.7")}).value_or_throw();
  EXPECT_EQ(release.channel().claim().epsilon, epsilon("0.98"));
  EXPECT_EQ(release.label_channel()->claim().epsilon, epsilon("0.42"));
  EXPECT_EQ(release.claim().epsilon, epsilon("1.4"));
  EXPECT_TRUE(release.claim().delta.is_zero());
  EXPECT_EQ(release.claim().exactness, Exactness::kExact);
  EXPECT_EQ(release.report_length(), 3U);
  EXPECT_EQ(release.codec().fields().back(), (Range{0, 2}));
}

TEST(Mechanism, ClaimsExactlyTheEpsilonThatWasAskedFor) {
  for (const char* asked : {"0.001", "0.1", "1/3", "1", "1.4", "2.718281828", "10", "99.999"}) {
    for (const char* share : {"0.5", "0.7", "1/3", "0.001", "0.999", "355/452"}) {
      const ReleaseParameters parameters{epsilon(asked), Delta::zero(), lambda(share)};
      const auto release = mechanism_of(labelled_spec()).release(parameters);
      if (!release) {  // the parts must be representable too: an error in words, never an approximation
        EXPECT_TRUE(contains(release.error().message, "epsilon")) << release.error().message;
        EXPECT_GT(std::string_view(asked).size() + std::string_view(share).size(), 12U) << asked << " " << share;
        continue;
      }
      EXPECT_EQ(release->claim().epsilon, epsilon(asked));
      EXPECT_EQ(release->channel().claim().epsilon.plus(release->label_channel()->claim().epsilon).value_or_throw(),
                epsilon(asked));
      EXPECT_EQ(release->codec().header().parameters, parameters);
    }
  }
}

TEST(Mechanism, ClaimsTheDeltaOfTheGaussianAlone) {
  MechanismSpec spec = spec_of(two_numbers(), L2LatticeSpec{1, 64}, kLatticeGaussian);
  spec.label = three_classes();
  const Mechanism mechanism = mechanism_of(spec);
  const Release release = mechanism.release({epsilon("2"), delta("1e-6"), lambda("0.75")}).value_or_throw();
  EXPECT_EQ(release.claim().epsilon, epsilon("2"));
  EXPECT_EQ(release.claim().delta, delta("1e-6"));
  EXPECT_TRUE(release.label_channel()->claim().delta.is_zero());
  EXPECT_TRUE(contains(release.claim().to_string(), "delta = 0.000001"));
  EXPECT_TRUE(contains(
      refusal(mechanism.release({epsilon("2"), Delta::zero(), std::nullopt}), ErrorCode::kInvalidArgument), "delta"));
}

TEST(Mechanism, RefusesADeltaForEveryOtherFamily) {
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    if (spec.channel == kLatticeGaussian) continue;
    const auto release =
        mechanism_of(spec).release({epsilon("1"), delta("1e-5"), std::nullopt}, InexactChannels::kAllowForExperiments);
    EXPECT_TRUE(contains(refusal(release, ErrorCode::kInvalidArgument), "takes none")) << name_of(spec.channel);
  }
}

TEST(Mechanism, ReleasesALabelOnlyWhenThereIsOneAndAShareForIt) {
  const ReleaseParameters with_share{epsilon("1"), Delta::zero(), lambda("0.5")};
  EXPECT_TRUE(contains(refusal(mechanism_of(l1_spec(64)).release(with_share), ErrorCode::kInvalidArgument), "lambda"));
  const Release without =
      mechanism_of(labelled_spec()).release({epsilon("1"), Delta::zero(), std::nullopt}).value_or_throw();
  EXPECT_EQ(without.label_channel(), nullptr);
  EXPECT_EQ(without.report_length(), 2U);
  EXPECT_EQ(without.channel().claim().epsilon, epsilon("1"));
}

TEST(Mechanism, RefusesInexactChannelsUnlessTheyAreAllowedAndThenSaysSo) {
  int inexact = 0;
  for (MechanismSpec& spec : a_spec_for_every_family()) {
    SCOPED_TRACE(name_of(spec.channel));
    spec.label = three_classes();  // an exact part must not hide the inexact one
    ReleaseParameters parameters = parameters_for(spec.channel, "2");
    parameters.lambda = lambda("0.5");
    const Mechanism mechanism = mechanism_of(spec);
    const auto refused = mechanism.release(parameters);
    const Release allowed = mechanism.release(parameters, InexactChannels::kAllowForExperiments).value_or_throw();
    EXPECT_EQ(static_cast<bool>(refused), !is_inexact(spec.channel));
    EXPECT_EQ(contains(allowed.claim().to_string(), "INEXACT"), is_inexact(spec.channel));
    if (!refused) {
      EXPECT_TRUE(contains(refusal(refused, ErrorCode::kUnsupported), name_of(spec.channel)));
      ++inexact;
    }
  }
  EXPECT_EQ(inexact, 3);
}

TEST(Mechanism, LoadsWhatItSavedUnderTheSameId) {
  const ScratchDirectory directory;
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    const Mechanism saved = mechanism_of(spec);
    const auto path = directory.path() / "mechanism.sotto";
    ASSERT_TRUE(saved.save(path));
    const Mechanism loaded = Mechanism::load(path).value_or_throw();
    EXPECT_EQ(loaded.id(), saved.id());
    EXPECT_TRUE(std::equal(loaded.bytes().begin(), loaded.bytes().end(), saved.bytes().begin(), saved.bytes().end()));
  }
  EXPECT_EQ(directory.entries(), 1);  // each replaced the one before, and nothing else was left behind
}

TEST(Mechanism, KeepsTheBytesOfAFileThatItWouldHaveWrittenOtherwise) {
  const Mechanism original = mechanism_of(l1_spec(64));
  std::string file(reinterpret_cast<const char*>(original.bytes().data()), original.bytes().size());
  file[0] = static_cast<char>(file[0] + 8);
  file += "        ";  // eight spaces more at the end of the header; there are no tensors
  const Mechanism padded = Mechanism::from_bytes(std::as_bytes(std::span(file))).value_or_throw();
  EXPECT_NE(padded.id(), original.id());
  EXPECT_EQ(padded.bytes().size(), original.bytes().size() + 8);
}

TEST(Mechanism, LeavesTheOldFileAloneWhenItCannotSave) {
  const ScratchDirectory directory;
  const Mechanism mechanism = mechanism_of(l1_spec(64));
  const auto occupied = directory.path() / "occupied";
  std::filesystem::create_directories(occupied / "child");
  refusal(mechanism.save(occupied), ErrorCode::kIo);
  EXPECT_TRUE(std::filesystem::exists(occupied / "child"));
  EXPECT_EQ(directory.entries(), 1);
  refusal(mechanism.save(directory.path() / "missing" / "mechanism.sotto"), ErrorCode::kIo);
}

TEST(Mechanism, NamesTheFileThatItCannotRead) {
  const ScratchDirectory directory;
  EXPECT_TRUE(contains(refusal(Mechanism::load(directory.path() / "none.sotto"), ErrorCode::kIo), "none.sotto"));
  EXPECT_TRUE(contains(refusal(Mechanism::load(directory.path()), ErrorCode::kIo), directory.path().string()));
  std::ofstream(directory.path() / "empty.sotto").flush();
  refusal(Mechanism::load(directory.path() / "empty.sotto"), ErrorCode::kCorruptFile);
}

TEST(ChannelFamily, NamesRoundTrip) {
  for (const ChannelFamily family : kEveryFamily) EXPECT_EQ(*channel_family_named(name_of(family)), family);
  EXPECT_FALSE(channel_family_named("laplace"));
  EXPECT_FALSE(channel_family_named(""));
}

}  // namespace
}  // namespace sotto
