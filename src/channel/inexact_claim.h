// inexact: the claim of the benchmark channels that are sampled in floating point.
#pragma once

#include "sotto/privacy/claim.h"

namespace sotto {

// ε-LDP for the idealised mathematics, see docs/proofs/inexact.md. Allowed: 10^−6 ≤ ε ≤ 128, where every exponential
// below stays well inside the range of a double.
inline Result<Claim> make_inexact_claim(const Epsilon& epsilon) {
  const Rational& value = epsilon.value();
  if (Uint128{value.numerator()} * 1000000 < value.denominator() ||
      value.numerator() > Uint128{128} * value.denominator())
    return refuse("epsilon: must lie between 0.000001 and 128, got " + epsilon.to_string());
  return Claim{epsilon, Delta::zero(), Exactness::kInexact, "docs/proofs/inexact.md"};
}

}  // namespace sotto
