// inexact: PrivUnit₂ for a direction [Bho19, Alg. 1] together with ScalarDP for its length.
//
// The direction u becomes a random unit vector V: with probability p uniform on the cap ⟨V, u⟩ ≥ γ, else uniform on the
// rest of the sphere. E[V] = m·u, so V/m estimates u without bias and with mean squared error 1/m² − 1. Cap and p are
// chosen together for the largest m that the exact ε allows (Bhowmick et al. split ε between them by hand).
//
// Guarantees ε-LDP for the idealised real-valued draw; not for the floating-point program (docs/proofs/inexact.md).
// Costs O(d) per report, some 80 ns a dimension.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"
#include "sotto/channel/symmetric_beta.h"

namespace sotto {

struct PrivUnitCap {
  double gamma;       // the cap is { v : ⟨v, u⟩ ≥ γ }
  double cap_share;   // c, its share of the sphere
  double chance;      // p, to draw from the cap
  double mean;        // m = E⟨V, u⟩
  double log_in_cap;  // log of the density there, against the uniform law: log(p/c)
  double log_beyond;  // log((1−p)/(1−c)) = log(p/c) − ε
};

// The best cap at this ε, for the law of (1 − ⟨V, u⟩)/2 of a uniform V.
PrivUnitCap best_cap(const SymmetricBeta& law, double epsilon);

// The share of ε for the length, in 64ths: the one with the least mean squared error for the longest record.
std::uint64_t length_share_of_64(const SymmetricBeta& law, std::int64_t longest, double epsilon);

// A report is d multiples of 2^−20, a vector with the direction V, and a symbol for the length. The norm of the vector
// is fresh noise that makes it a standard normal vector over √d when V is uniform; thus each report has a probability
// that can be written down. It carries nothing, and `estimate` divides it out. The estimate is direction times length,
// in lattice units (0 … resolution). Allowed: dimension ≥ 2.
Result<std::unique_ptr<Channel>> make_privunit(DirectionAndLength sphere, const Epsilon& epsilon);

}  // namespace sotto
