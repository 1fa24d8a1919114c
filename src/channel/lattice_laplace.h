// The L1 ball with discrete Laplace noise on every coordinate: the channel of the learnt mechanisms of [Man21, §3.1].
//
// Claim: exactly ε-LDP. Two points are at most 2G apart in L1 and P(X = x) ∝ exp(−|x|·ε/(2G)), so the probabilities of
// any report differ by a factor of at most e^ε, and opposite corners reach it. Proof: docs/proofs/lattice-laplace.md.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

Result<std::unique_ptr<Channel>> make_lattice_laplace(L1Ball ball, const Epsilon& epsilon);

}  // namespace sotto
