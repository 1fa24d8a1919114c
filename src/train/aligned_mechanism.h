// The mechanism that an encoder aligned with the vertices of the L1 ball (aligned_training.h) amounts to: the L1
// lattice and Laplace noise. It has no decoder: the vertices stand for clusters, not for what records look like.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sotto/mechanism/spec.h"

namespace sotto {

MechanismSpec aligned_mechanism(Network encoder, float l1_radius, const InputSchema& input,
                                const std::optional<LabelSchema>& label, std::int64_t resolution,
                                std::map<std::string, std::string> provenance);

}  // namespace sotto
