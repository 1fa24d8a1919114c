// Exact non-negative fractions for privacy parameters: what a person wrote ("1.4", "7/5", "1e-5") is what is meant.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "sotto/kernel/result.h"
#include "sotto/kernel/uniform.h"

namespace sotto {

// Always reduced, numerator and denominator below 2^44. Arithmetic that would leave this range is an error, not a
// rounding: a caller who sees it is asked for a coarser value.
class Rational {
 public:
  constexpr Rational() = default;
  static Result<Rational> make(Uint128 numerator, Uint128 denominator);
  static Result<Rational> parse(std::string_view text);

  std::uint64_t numerator() const { return numerator_; }
  std::uint64_t denominator() const { return denominator_; }
  double to_double() const;

  // "1.4" when the decimal expansion ends, "1/3" otherwise; parse(to_string()) gives the same number back.
  std::string to_string() const;

  bool operator==(const Rational&) const = default;
  std::strong_ordering operator<=>(const Rational& other) const;

  friend Result<Rational> add(const Rational& a, const Rational& b);
  friend Result<Rational> subtract(const Rational& a, const Rational& b);  // precondition: a ≥ b
  friend Result<Rational> multiply(const Rational& a, const Rational& b);

 private:
  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

}  // namespace sotto
