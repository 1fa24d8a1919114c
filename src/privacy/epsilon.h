// The privacy parameters as types. There are no defaults and no conversions from double: a parameter is what somebody
// wrote, held exactly.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "sotto/kernel/result.h"
#include "sotto/privacy/rational.h"

namespace sotto {

// The ε of (ε, δ)-local differential privacy. People may ask for 1/1000 ≤ ε ≤ 100; parts of such an ε may be smaller,
// sums larger.
class Epsilon {
 public:
  static Result<Epsilon> parse(std::string_view text);
  static Result<Epsilon> make(const Result<Rational>& value);  // any value > 0; passes an error on

  const Rational& value() const { return value_; }
  double to_double() const { return value_.to_double(); }
  std::string to_string() const { return value_.to_string(); }

  Result<Epsilon> plus(const Epsilon& other) const { return make(add(value_, other.value_)); }
  Result<Epsilon> minus(const Epsilon& other) const { return make(subtract(value_, other.value_)); }
  Result<Epsilon> times(const Rational& factor) const { return make(multiply(value_, factor)); }
  Result<Epsilon> divided_by(std::uint64_t parts) const;

  auto operator<=>(const Epsilon&) const = default;

 private:
  explicit Epsilon(const Rational& value) : value_(value) {}
  Rational value_;
};

// The δ of (ε, δ)-local differential privacy. People may ask for 0 or 1e-12 ≤ δ ≤ 0.1; sums may be larger.
class Delta {
 public:
  static Delta zero() { return Delta(Rational()); }
  static Result<Delta> parse(std::string_view text);

  const Rational& value() const { return value_; }
  double to_double() const { return value_.to_double(); }
  std::string to_string() const { return value_.to_string(); }
  bool is_zero() const { return value_.numerator() == 0; }

  Result<Delta> plus(const Delta& other) const;

  auto operator<=>(const Delta&) const = default;

 private:
  explicit Delta(const Rational& value) : value_(value) {}
  Rational value_;
};

}  // namespace sotto
