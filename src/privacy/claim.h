// What a channel promises: (ε, δ)-local differential privacy between *any two records*. Only code in channel/ makes
// claims; everything else composes them or passes them on, because post-processing keeps a claim as it is.
#pragma once

#include <string>

#include "sotto/privacy/epsilon.h"

namespace sotto {

enum class Exactness {
  kExact,    // sampled in integers from random bits: the claim holds for the program as shipped
  kInexact,  // sampled in floating point: the claim holds for the idealised mathematics only [Mir12]
};

struct Claim {
  Epsilon epsilon;
  Delta delta;
  Exactness exactness;
  std::string proof;  // where the argument is written down, a path below docs/

  // "epsilon = 1.4, exact, between any two records (docs/proofs/…)".
  std::string to_string() const;
};

// Sequential composition: both reports about one record are released. ε and δ add up; one inexact part taints the
// whole.
Result<Claim> compose(const Claim& first, const Claim& second);

}  // namespace sotto
