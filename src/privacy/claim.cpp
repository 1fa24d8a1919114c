#include "sotto/privacy/claim.h"

namespace sotto {

std::string Claim::to_string() const {
  std::string text = "epsilon = " + epsilon.to_string();
  if (!delta.is_zero()) text += ", delta = " + delta.to_string();
  text += exactness == Exactness::kExact ? ", exact" : ", INEXACT (floating-point sampler)";
  return text + ", between any two records (" + proof + ")";
}

Result<Claim> compose(const Claim& first, const Claim& second) {
  const auto epsilon = first.epsilon.plus(second.epsilon);
  if (!epsilon) return epsilon.error();
  const auto delta = first.delta.plus(second.delta);
  if (!delta) return delta.error();
  const bool exact = first.exactness == Exactness::kExact && second.exactness == Exactness::kExact;
  const std::string proof = first.proof == second.proof ? first.proof : first.proof + " + " + second.proof;
  return Claim{*epsilon, *delta, exact ? Exactness::kExact : Exactness::kInexact, proof};
}

}  // namespace sotto
