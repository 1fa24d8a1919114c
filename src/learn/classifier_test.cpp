#include "sotto/learn/classifier.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/mechanism/sample_specs_test.h"
#include "sotto/privacy/scratch_file_test.h"

namespace sotto {
namespace {

using ClassifierFile = ScratchFile;

Classifier sample() {
  return {ClassifierInput::kRecord,
          Network::make(2, {dense(2, 4, Activation::kRelu), dense(4, 3)}).value_or_throw(),
          std::string(64, 'a'),
          {"cat", "dog", "naïve \"fox\""},
          {{"method", "codes"}, {"seed", "7"}}};
}

TEST_F(ClassifierFile, ReadsBackWhatItWrote) {
  for (const ClassifierInput input :
       {ClassifierInput::kRecord, ClassifierInput::kRepresentation, ClassifierInput::kDecoded}) {
    Classifier written = sample();
    written.input = input;
    ASSERT_TRUE(written.save(path_));
    const Classifier read = Classifier::load(path_).value_or_throw();
    EXPECT_EQ(read.input, written.input);
    EXPECT_EQ(read.mechanism, written.mechanism);
    EXPECT_EQ(read.classes, written.classes);
    EXPECT_EQ(read.provenance, written.provenance);
    const std::vector<float> inputs = {0.25F, -1, 3, 0.5F};
    EXPECT_EQ(class_probabilities(read.network, inputs, 2), class_probabilities(written.network, inputs, 2));
  }
}

TEST_F(ClassifierFile, RefusesEveryTruncation) {
  ASSERT_TRUE(sample().save(path_));
  const std::string whole = bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    set_bytes(whole.substr(0, length));
    ASSERT_FALSE(Classifier::load(path_)) << length << " of " << whole.size() << " bytes";
  }
  set_bytes(whole + "x");
  EXPECT_FALSE(Classifier::load(path_));
}

// A flipped bit in a weight or in a name cannot be seen; whatever is read must then still be a whole classifier.
TEST_F(ClassifierFile, SurvivesEveryFlippedBit) {
  const Classifier written = sample();
  ASSERT_TRUE(written.save(path_));
  const std::string whole = bytes();
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    set_bytes(flipped);
    const auto read = Classifier::load(path_);
    if (!read) {
      ++refused;
      EXPECT_EQ(read.error().code, ErrorCode::kCorruptFile) << read.error().message;
      continue;
    }
    EXPECT_EQ(read->classes.size(), read->network.output_width());
    EXPECT_EQ(read->network.input_width(), 2U);
  }
  EXPECT_GT(refused, whole.size()) << "more than one bit of eight has a meaning that is checked";
}

TEST_F(ClassifierFile, RefusesAMissingFileAndOneOfAnotherKind) {
  EXPECT_EQ(refusal(Classifier::load(directory_ / "none"), ErrorCode::kIo).empty(), false);
  ASSERT_TRUE(mechanism_of(l1_spec(4)).save(path_));
  EXPECT_TRUE(contains(refusal(Classifier::load(path_), ErrorCode::kCorruptFile), "classifier file"));
}

TEST_F(ClassifierFile, RefusesClassesThatAreNotTheNetworksOutputs) {
  Classifier odd = sample();
  odd.classes.pop_back();
  ASSERT_TRUE(odd.save(path_));
  EXPECT_TRUE(contains(refusal(Classifier::load(path_), ErrorCode::kCorruptFile), "2 classes"));
}

TEST(Classifier, GivesProbabilitiesAndTheLargestOfThem) {
  // Logits are the inputs themselves.
  const Network same =
      Network::make(3, {DenseLayer{3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, Activation::kNone}}).value_or_throw();
  std::vector<float> inputs;
  for (std::size_t row = 0; row < 300; ++row)  // more than one block
    for (std::size_t i = 0; i < 3; ++i) inputs.push_back(i == row % 3 ? 2.0F : 0.0F);
  const auto probabilities = class_probabilities(same, inputs, 300);
  const auto labels = most_probable(probabilities, 3);
  ASSERT_EQ(labels.size(), 300U);
  const float likely = std::exp(2.0F) / (std::exp(2.0F) + 2);
  for (std::size_t row = 0; row < 300; ++row) {
    EXPECT_EQ(labels[row], static_cast<std::int32_t>(row % 3));
    EXPECT_NEAR(probabilities[3 * row + row % 3], likely, 1e-5);
  }
}

TEST(Classifier, NamesItsInputs) {
  for (const ClassifierInput input :
       {ClassifierInput::kRecord, ClassifierInput::kRepresentation, ClassifierInput::kDecoded})
    EXPECT_EQ(classifier_input_named(name_of(input)).value_or_throw(), input);
  EXPECT_FALSE(classifier_input_named("pixels"));
}

}  // namespace
}  // namespace sotto
