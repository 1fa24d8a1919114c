#include "sotto/audit/constraint_audit.h"

#include <bit>
#include <cmath>
#include <vector>

#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

float wild(Entropy& entropy) {
  std::uint32_t bits = entropy.take<std::uint32_t>();
  constexpr std::uint32_t kExponent = 0x7F800000;
  if (uniform_below(4, entropy) == 0) bits |= kExponent;   // NaN or, seldom, infinity
  if (uniform_below(8, entropy) == 0) bits &= 0xFF800000;  // a power of two, zero or infinity
  return std::bit_cast<float>(bits);
}

// Between −1 and 1, times 2^exponent.
float ordinary(int exponent, Entropy& entropy) {
  const auto fraction = static_cast<float>(static_cast<std::int32_t>(entropy.take<std::uint32_t>())) * 0x1p-31F;
  return std::ldexp(fraction, exponent);
}

}  // namespace

ConstraintAudit audit_constraint(const Constraint& constraint, std::uint64_t inputs, Entropy& entropy) {
  std::vector<float> encoded(constraint.input_length());
  std::vector<std::int64_t> point(point_length(constraint.domain()));
  ConstraintAudit audit{inputs, 0};
  for (std::uint64_t i = 0; i < inputs; ++i) {
    const int exponent = static_cast<int>(uniform_below(40, entropy)) - 20;
    for (float& value : encoded) value = i % 3 == 0 ? wild(entropy) : ordinary(exponent, entropy);
    if (i % 3 == 1) encoded[uniform_below(encoded.size(), entropy)] = wild(entropy);
    const Status status = constraint.constrain(encoded, point);
    audit.escapes += status && contains(constraint.domain(), point) ? 0 : 1;
  }
  return audit;
}

}  // namespace sotto
