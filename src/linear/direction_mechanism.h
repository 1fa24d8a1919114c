// A mechanism that tells in which direction a record lies from the middle of the auxiliary ones, as an encoder sees
// them: its features' leading components, each brought to the same variance, for the hyperplane channel. Directions
// favour no kind of record over another, so that kinds which nobody has shown the encoder have theirs, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sotto/data/dataset.h"
#include "sotto/mechanism/spec.h"

namespace sotto {

struct DirectionOptions {
  std::size_t dimension = 64;
  std::int64_t resolution = std::int64_t{1} << 16;
};

// `features` are those that the encoder has for the auxiliary records. Fails when they vary in fewer directions than
// asked for.
Result<MechanismSpec> direction_mechanism(const Network& encoder, const Dataset& features, const InputSchema& input,
                                          const std::optional<LabelSchema>& label, const DirectionOptions& options,
                                          std::map<std::string, std::string> provenance);

}  // namespace sotto
