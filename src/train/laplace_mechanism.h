// The mechanism that an encoder into the L1 ball amounts to: the L1 lattice and Laplace noise. It has no decoder: such
// encoders (aligned_training.h, contrastive_training.h) tell records apart, and forget what they look like.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sotto/mechanism/spec.h"

namespace sotto {

MechanismSpec laplace_mechanism(Network encoder, float l1_radius, const InputSchema& input,
                                const std::optional<LabelSchema>& label, std::int64_t resolution,
                                std::map<std::string, std::string> provenance);

}  // namespace sotto
