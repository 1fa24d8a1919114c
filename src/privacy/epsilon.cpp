#include "sotto/privacy/epsilon.h"

namespace sotto {
namespace {

Error prefixed(const char* name, const Error& error) { return {error.code, std::string(name) + ": " + error.message}; }

Error out_of_range(const char* range, const Rational& value) {
  return {ErrorCode::kInvalidArgument, std::string(range) + ", got " + value.to_string()};
}

}  // namespace

Result<Epsilon> Epsilon::parse(std::string_view text) {
  const auto value = Rational::parse(text);
  if (!value) return prefixed("epsilon (between 0.001 and 100)", value.error());
  const Uint128 numerator = value->numerator();
  if (numerator * 1000 < value->denominator() || numerator > Uint128{100} * value->denominator())
    return out_of_range("epsilon: must lie between 0.001 and 100", *value);
  return Epsilon(*value);
}

Result<Epsilon> Epsilon::make(const Result<Rational>& value) {
  if (!value) return prefixed("epsilon", value.error());
  if (value->numerator() == 0) return out_of_range("epsilon: must be greater than 0", *value);
  return Epsilon(*value);
}

Result<Epsilon> Epsilon::divided_by(std::uint64_t parts) const {
  const auto share = Rational::make(1, parts);
  return share ? times(*share) : make(share);
}

Result<Delta> Delta::parse(std::string_view text) {
  const auto value = Rational::parse(text);
  if (!value) return prefixed("delta (0, or between 1e-12 and 0.1)", value.error());
  const Uint128 numerator = value->numerator();
  if ((numerator != 0 && numerator * 1000000000000 < value->denominator()) || numerator * 10 > value->denominator())
    return out_of_range("delta: must be 0 or between 1e-12 and 0.1", *value);
  return Delta(*value);
}

Result<Delta> Delta::plus(const Delta& other) const {
  const auto sum = add(value_, other.value_);
  if (!sum) return prefixed("delta", sum.error());
  return Delta(*sum);
}

}  // namespace sotto
