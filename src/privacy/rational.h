// Exact non-negative fractions for privacy parameters: what a person wrote ("1.4", "7/5", "1e-5") is what is meant.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "sotto/kernel/result.h"
#include "sotto/kernel/uniform.h"

namespace sotto {

// What to do with a number that needs more than 44 bits: refuse it, or take the next one with at most 12 decimal
// places.
enum class Rounding { kNever, kUp, kDown };

// Always reduced, numerator and denominator below 2^44. Arithmetic that would leave this range is an error unless the
// caller says how to round: a person who sees it is asked for a coarser value. From 2^44 on it is an error in any case.
class Rational {
 public:
  constexpr Rational() = default;
  // Precondition, when rounding: numerator < 2^89, denominator < 2^88.
  static Result<Rational> make(Uint128 numerator, Uint128 denominator, Rounding rounding = Rounding::kNever);
  static Result<Rational> parse(std::string_view text);

  std::uint64_t numerator() const { return numerator_; }
  std::uint64_t denominator() const { return denominator_; }
  double to_double() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

  // "1.4" when the decimal expansion is short, "1/3" otherwise; parse(to_string()) gives the same number back.
  std::string to_string() const;

  bool operator==(const Rational&) const = default;
  std::strong_ordering operator<=>(const Rational& other) const;

 private:
  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

Result<Rational> add(const Rational& a, const Rational& b, Rounding rounding = Rounding::kNever);
Result<Rational> subtract(const Rational& a, const Rational& b,
                          Rounding rounding = Rounding::kNever);  // error if a < b
Result<Rational> multiply(const Rational& a, const Rational& b);

}  // namespace sotto
