// What a mechanism is, as plain data: encoder + constraint + channel family, what records and labels look like, and
// perhaps a decoder for who wants records back. All of it is public. Epsilon is not part of it: that is chosen when
// records are released.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sotto/encoder/network.h"
#include "sotto/mechanism/schema.h"

namespace sotto {

struct L1LatticeSpec {
  double radius;
  std::int64_t resolution;
};
struct L2LatticeSpec {
  double radius;
  std::int64_t resolution;
};
struct FeatureBoxSpec {  // bounds and categories are those of the input schema; needs the identity encoder
  std::int64_t resolution;
};
struct DirectionAndLengthSpec {
  double max_length;
  std::int64_t resolution;
};
struct CodebookSpec {
  std::vector<float> centroids;              // rows as wide as the encoder's output
  std::vector<std::uint8_t> distances = {};  // codes × codes, for the exponential channel; else none
  std::vector<float> offsets = {};           // added to squared distances from the centroids, one a code; none: zero
};
using ConstraintSpec = std::variant<L1LatticeSpec, L2LatticeSpec, FeatureBoxSpec, DirectionAndLengthSpec, CodebookSpec>;

enum class ChannelFamily {
  kLatticeLaplace,
  kLatticeGaussian,
  kRandomizedResponse,
  kSubsetSelection,
  kHadamardResponse,
  kExponential,
  kHyperplaneResponse,
  kDuchi,
  kFeatureLaplace,
  kPiecewise,
  kHybrid,
  kPrivUnit,
};

std::string_view name_of(ChannelFamily family);
Result<ChannelFamily> channel_family_named(std::string_view name);

// How the last layer's values become a record's: as they are, or through the logistic function onto each feature's
// public bounds. The first is the mean of a Gaussian pixel model, the second of Bernoulli and logit-Gaussian ones.
enum class OutputMap { kNone, kSigmoid };

std::string_view name_of(OutputMap map);
Result<OutputMap> output_map_named(std::string_view name);

// From a representation, in the encoder's units, back to a record: what a report says, or what a code stands for. Never
// sees a record (feature_decoder.h).
struct Decoder {
  Network network;  // as wide as the encoding at its input, as a record at its output
  OutputMap output;
};

struct MechanismSpec {
  InputSchema input;
  std::optional<LabelSchema> label;
  Network encoder;
  ConstraintSpec constraint;
  ChannelFamily channel;
  std::map<std::string, std::string> provenance;  // method, data, options: for people, no report depends on it
  std::optional<Decoder> decoder = std::nullopt;
};

}  // namespace sotto
