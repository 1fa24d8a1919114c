// What the tests of this folder share: small mechanisms of every kind.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sotto/mechanism/mechanism.h"
#include "sotto/mechanism/spec.h"

namespace sotto {

inline Epsilon epsilon(std::string_view text) { return Epsilon::parse(text).value_or_throw(); }
inline Delta delta(std::string_view text) { return Delta::parse(text).value_or_throw(); }
inline Rational lambda(std::string_view text) { return parse_lambda(text).value_or_throw(); }

inline Column number(std::string name, double minimum, double maximum) {
  return {std::move(name), Column::Kind::kNumeric, minimum, maximum, {}};
}
inline Column category(std::string name, std::vector<std::string> categories) {
  return {std::move(name), Column::Kind::kCategorical, 0, 1, std::move(categories)};
}

inline InputSchema two_numbers() { return {std::nullopt, {number("x", -1, 1), number("y", -1, 1)}}; }
inline InputSchema number_and_category() {
  return {std::nullopt, {number("age", 0, 120), category("job", {"baker", "smith", "other"})}};
}
inline InputSchema one_category() { return {std::nullopt, {category("job", {"baker", "smith", "other"})}}; }
inline InputSchema image(std::int32_t channels, std::int32_t height, std::int32_t width) {
  return {ImageShape{channels, height, width}, {}};
}
inline LabelSchema three_classes() { return {"class", {"a", "b", "c"}}; }

inline MechanismSpec labelled(MechanismSpec spec) {
  spec.label = three_classes();
  return spec;
}

inline ReleaseParameters joint(std::string_view epsilon_text) {
  ReleaseParameters parameters{epsilon(epsilon_text)};
  parameters.joint = true;
  return parameters;
}

inline Network identity(const InputSchema& input) { return Network::make(input.width(), {}).value_or_throw(); }

// Weights 1, 2, 3, … divided by 8 with alternating signs: sums of them are exact, in whatever order they are added.
inline DenseLayer dense(std::size_t inputs, std::size_t outputs, Activation activation = Activation::kNone) {
  DenseLayer layer{inputs, outputs, {}, {}, activation};
  for (std::size_t i = 0; i < inputs * outputs; ++i)
    layer.weights.push_back(static_cast<float>(i % 2 == 0 ? i + 1 : 0) / 8 - static_cast<float>(i % 2) / 4);
  for (std::size_t i = 0; i < outputs; ++i) layer.bias.push_back(static_cast<float>(i) / 16);
  return layer;
}

inline MechanismSpec spec_of(InputSchema input, ConstraintSpec constraint, ChannelFamily channel) {
  Network encoder = identity(input);
  return {std::move(input), std::nullopt, std::move(encoder), std::move(constraint), channel, {}};
}

inline MechanismSpec l1_spec(std::int64_t resolution) {
  return spec_of(two_numbers(), L1LatticeSpec{1, resolution}, ChannelFamily::kLatticeLaplace);
}

inline MechanismSpec with_decoder(MechanismSpec spec, std::vector<Layer> layers, OutputMap output) {
  spec.decoder = Decoder{Network::make(spec.encoder.output_width(), std::move(layers)).value_or_throw(), output};
  return spec;
}

// Three codes at the corners of a triangle, and how far they are apart.
inline CodebookSpec three_distant_codes() { return {{-1, 0, 1, 0, 0, 1}, {0, 3, 2, 3, 0, 2, 2, 2, 0}}; }

// One mechanism for each family.
inline std::vector<MechanismSpec> a_spec_for_every_family() {
  const CodebookSpec codebook{{-1, 0, 1, 0, 0, 1}};
  return {l1_spec(64),
          spec_of(two_numbers(), L2LatticeSpec{1, 64}, ChannelFamily::kLatticeGaussian),
          spec_of(two_numbers(), codebook, ChannelFamily::kRandomizedResponse),
          spec_of(two_numbers(), codebook, ChannelFamily::kSubsetSelection),
          spec_of(two_numbers(), codebook, ChannelFamily::kHadamardResponse),
          spec_of(two_numbers(), three_distant_codes(), ChannelFamily::kExponential),
          spec_of(two_numbers(), L2LatticeSpec{1, 64}, ChannelFamily::kHyperplaneResponse),
          spec_of(two_numbers(), FeatureBoxSpec{64}, ChannelFamily::kDuchi),
          spec_of(number_and_category(), FeatureBoxSpec{64}, ChannelFamily::kFeatureLaplace),
          spec_of(two_numbers(), FeatureBoxSpec{64}, ChannelFamily::kPiecewise),
          spec_of(two_numbers(), FeatureBoxSpec{64}, ChannelFamily::kHybrid),
          spec_of(two_numbers(), DirectionAndLengthSpec{1, 64}, ChannelFamily::kPrivUnit)};
}

inline Mechanism mechanism_of(MechanismSpec spec) { return Mechanism::make(std::move(spec)).value_or_throw(); }

// The parameters that a family takes: δ for the Gaussian alone.
inline ReleaseParameters parameters_for(ChannelFamily family, std::string_view epsilon_text) {
  return {epsilon(epsilon_text), family == ChannelFamily::kLatticeGaussian ? delta("1e-5") : Delta::zero(),
          std::nullopt};
}

inline Release release_of(MechanismSpec spec, std::string_view epsilon_text) {
  const ReleaseParameters parameters = parameters_for(spec.channel, epsilon_text);
  return mechanism_of(std::move(spec)).release(parameters, InexactChannels::kAllowForExperiments).value_or_throw();
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The message of the error, or "" (and a failed test) when there is none or when it has another code.
template <typename Outcome>
std::string refusal(const Outcome& outcome, ErrorCode code) {
  EXPECT_FALSE(outcome) << "an error was expected";
  if (outcome) return "";
  EXPECT_EQ(outcome.error().code, code) << outcome.error().message;
  return outcome.error().message;
}

}  // namespace sotto
