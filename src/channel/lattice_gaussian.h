// The L2 ball with discrete Gaussian noise on every coordinate.
//
// Claim: (ε, δ)-LDP. The variance comes from concentrated DP, which holds for the discrete noise in any dimension and
// any direction of the difference between two points [CKS20]; the formula for continuous noise would not. Proof:
// docs/proofs/gaussian.md.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

Result<std::unique_ptr<Channel>> make_lattice_gaussian(L2Ball ball, const Epsilon& epsilon, const Delta& delta);

}  // namespace sotto
