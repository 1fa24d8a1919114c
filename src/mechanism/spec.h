// What a mechanism is, as plain data: encoder + constraint + channel family, and what records and labels look like. All
// of it is public. Epsilon is not part of it: that is chosen when records are released.
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
struct CodebookSpec {  // rows as wide as the encoder's output
  std::vector<float> centroids;
};
using ConstraintSpec = std::variant<L1LatticeSpec, L2LatticeSpec, FeatureBoxSpec, DirectionAndLengthSpec, CodebookSpec>;

enum class ChannelFamily {
  kLatticeLaplace,
  kLatticeGaussian,
  kRandomizedResponse,
  kSubsetSelection,
  kDuchi,
  kFeatureLaplace,
  kPiecewise,
  kHybrid,
  kPrivUnit,
};

std::string_view name_of(ChannelFamily family);
Result<ChannelFamily> channel_family_named(std::string_view name);

struct MechanismSpec {
  InputSchema input;
  std::optional<LabelSchema> label;
  Network encoder;
  ConstraintSpec constraint;
  ChannelFamily channel;
  std::map<std::string, std::string> provenance;  // method, data, options: for people, never interpreted
};

}  // namespace sotto
