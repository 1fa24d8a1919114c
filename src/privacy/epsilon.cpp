#include "sotto/privacy/epsilon.h"

namespace sotto {
namespace {

Error prefixed(const char* name, const Error& error) { return {error.code, std::string(name) + ": " + error.message}; }

}  // namespace

Result<Epsilon> Epsilon::parse(std::string_view text) {
  const auto value = Rational::parse(text);
  if (!value) return prefixed("epsilon", value.error());
  if (Uint128{value->numerator()} * 1000 < value->denominator() ||
      value->numerator() > Uint128{100} * value->denominator())
    return Error{ErrorCode::kInvalidArgument,
                 "epsilon: must lie between 0.001 and 100, got " + value->to_string()};
  return Epsilon(*value);
}

Result<Epsilon> Epsilon::make(const Rational& value) {
  if (value.numerator() == 0) return Error{ErrorCode::kInvalidArgument, "epsilon: must be greater than 0, got 0"};
  return Epsilon(value);
}

Result<Epsilon> Epsilon::plus(const Epsilon& other) const {
  const auto sum = add(value_, other.value_);
  if (!sum) return prefixed("epsilon", sum.error());
  return Epsilon(*sum);
}

Result<Epsilon> Epsilon::minus(const Epsilon& other) const {
  if (value_ <= other.value_)
    return Error{ErrorCode::kInvalidArgument,
                 "epsilon: nothing is left of " + to_string() + " after " + other.to_string()};
  const auto rest = subtract(value_, other.value_);
  if (!rest) return prefixed("epsilon", rest.error());
  return Epsilon(*rest);
}

Result<Epsilon> Epsilon::times(const Rational& factor) const {
  const auto product = multiply(value_, factor);
  if (!product) return prefixed("epsilon", product.error());
  return make(*product);
}

Result<Epsilon> Epsilon::divided_by(std::uint64_t parts) const {
  const auto share = Rational::make(1, parts);
  if (!share) return prefixed("epsilon", share.error());
  return times(*share);
}

Result<Delta> Delta::parse(std::string_view text) {
  const auto value = Rational::parse(text);
  if (!value) return prefixed("delta", value.error());
  if (Uint128{value->numerator()} * 10 > value->denominator())
    return Error{ErrorCode::kInvalidArgument, "delta: must be 0 or between 1e-12 and 0.1, got " + value->to_string()};
  return Delta(*value);
}

Result<Delta> Delta::plus(const Delta& other) const {
  const auto sum = add(value_, other.value_);
  if (!sum) return prefixed("delta", sum.error());
  return Delta(*sum);
}

}  // namespace sotto
