// A non-negative real number held between two 256-bit floating-point numbers, every operation rounded outwards (MPFR).
//
// Guarantees: if the operands contain the true values, so does the result; what is concluded from `low` and `high` is
// therefore proved, whatever the rounding. Infinity is a legal bound. Not fast, and only for values ≥ 0: probabilities,
// weights and their ratios.
#pragma once

#include <mpfr.h>

#include <cstdint>

#include "sotto/privacy/rational.h"

namespace sotto {

class Enclosure {  // NOLINT(cppcoreguidelines-special-member-functions): the limbs are inside, so to move is to copy
 public:
  Enclosure() : Enclosure(std::uint64_t{0}) {}
  explicit Enclosure(std::uint64_t value);
  explicit Enclosure(const Rational& value);
  Enclosure(const Enclosure& other);
  Enclosure& operator=(const Enclosure& other);

  Enclosure& operator+=(const Enclosure& other);
  Enclosure& operator-=(const Enclosure& other);  // precondition: the true difference is ≥ 0
  Enclosure& operator*=(const Enclosure& other);
  Enclosure& operator*=(std::uint64_t factor);
  Enclosure& operator/=(const Enclosure& other);  // 0/0 is not defined; x/0 is infinite
  Enclosure& operator/=(std::uint64_t divisor);

  friend Enclosure operator+(Enclosure a, const Enclosure& b) { return a += b; }
  friend Enclosure operator-(Enclosure a, const Enclosure& b) { return a -= b; }
  friend Enclosure operator*(Enclosure a, const Enclosure& b) { return a *= b; }
  friend Enclosure operator/(Enclosure a, const Enclosure& b) { return a /= b; }

  static Enclosure exp(const Enclosure& x);        // e^x
  static Enclosure exp_minus(const Enclosure& x);  // e^(−x)
  static Enclosure log(const Enclosure& x);        // log x, for x ≥ 1; a lower bound below 1 gives 0
  // [a.low, b.high], when the same number is known to lie above a and below b.
  static Enclosure between(const Enclosure& a, const Enclosure& b);

  mpfr_srcptr low() const { return low_; }
  mpfr_srcptr high() const { return high_; }
  bool is_zero() const { return mpfr_zero_p(high_) != 0; }
  bool is_one() const;  // 1 lies inside, and nothing that is 2^−100 away from it
  double low_as_double() const { return mpfr_get_d(low_, MPFR_RNDD); }
  double high_as_double() const { return mpfr_get_d(high_, MPFR_RNDU); }
  // The natural logarithm of some number inside to the accuracy of a double, also where the number itself underflows;
  // −∞ for zero.
  double approximate_log() const;

 private:
  static constexpr int kBits = 256;

  mp_limb_t low_limbs_[kBits / GMP_NUMB_BITS],
      high_limbs_[kBits / GMP_NUMB_BITS];  // in place: no allocation per number
  mpfr_t low_, high_;
};

}  // namespace sotto
