#include "sotto/audit/enclosure.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace sotto {
static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));  // or mpfr_set_ui and its like would cut integers

Enclosure::Enclosure(std::uint64_t value) {  // NOLINT(cppcoreguidelines-pro-type-member-init): MPFR fills the limbs
  mpfr_custom_init_set(low_, MPFR_ZERO_KIND, 0, kBits, low_limbs_);
  mpfr_custom_init_set(high_, MPFR_ZERO_KIND, 0, kBits, high_limbs_);
  mpfr_set_ui(low_, value, MPFR_RNDD);
  mpfr_set_ui(high_, value, MPFR_RNDU);
}

Enclosure::Enclosure(const Rational& value) : Enclosure(value.numerator()) { *this /= value.denominator(); }

Enclosure::Enclosure(const Enclosure& other) : Enclosure() { *this = other; }

Enclosure& Enclosure::operator=(const Enclosure& other) {  // NOLINT(bugprone-unhandled-self-assignment): mpfr_set does
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
  return *this;
}

Enclosure& Enclosure::operator+=(const Enclosure& other) {
  mpfr_add(low_, low_, other.low_, MPFR_RNDD);
  mpfr_add(high_, high_, other.high_, MPFR_RNDU);
  return *this;
}

Enclosure& Enclosure::operator-=(const Enclosure& other) {
  const Enclosure subtrahend(other);  // `other` may be this very number
  mpfr_sub(low_, low_, subtrahend.high_, MPFR_RNDD);
  mpfr_sub(high_, high_, subtrahend.low_, MPFR_RNDU);
  if (mpfr_sgn(low_) < 0) mpfr_set_zero(low_, 1);
  return *this;
}

Enclosure& Enclosure::operator*=(const Enclosure& other) {
  mpfr_mul(low_, low_, other.low_, MPFR_RNDD);
  mpfr_mul(high_, high_, other.high_, MPFR_RNDU);
  return *this;
}

Enclosure& Enclosure::operator*=(std::uint64_t factor) {
  mpfr_mul_ui(low_, low_, factor, MPFR_RNDD);
  mpfr_mul_ui(high_, high_, factor, MPFR_RNDU);
  return *this;
}

Enclosure& Enclosure::operator/=(const Enclosure& other) {
  const Enclosure divisor(other);
  mpfr_div(low_, low_, divisor.high_, MPFR_RNDD);
  mpfr_div(high_, high_, divisor.low_, MPFR_RNDU);
  return *this;
}

Enclosure& Enclosure::operator/=(std::uint64_t divisor) {
  mpfr_div_ui(low_, low_, divisor, MPFR_RNDD);
  mpfr_div_ui(high_, high_, divisor, MPFR_RNDU);
  return *this;
}

Enclosure Enclosure::exp(const Enclosure& x) {
  Enclosure result;
  mpfr_exp(result.low_, x.low_, MPFR_RNDD);
  mpfr_exp(result.high_, x.high_, MPFR_RNDU);
  return result;
}

Enclosure Enclosure::exp_minus(const Enclosure& x) {
  Enclosure result;
  mpfr_neg(result.low_, x.high_, MPFR_RNDD);
  mpfr_neg(result.high_, x.low_, MPFR_RNDU);
  mpfr_exp(result.low_, result.low_, MPFR_RNDD);
  mpfr_exp(result.high_, result.high_, MPFR_RNDU);
  return result;
}

Enclosure Enclosure::log(const Enclosure& x) {
  Enclosure result;
  if (mpfr_cmp_ui(x.low_, 1) > 0) mpfr_log(result.low_, x.low_, MPFR_RNDD);
  if (mpfr_cmp_ui(x.high_, 1) > 0) mpfr_log(result.high_, x.high_, MPFR_RNDU);
  return result;
}

Enclosure Enclosure::between(const Enclosure& a, const Enclosure& b) {
  Enclosure result(a);
  mpfr_set(result.high_, b.high_, MPFR_RNDU);
  return result;
}

bool Enclosure::is_one() const {
  Enclosure width;
  mpfr_sub(width.high_, high_, low_, MPFR_RNDU);
  return mpfr_cmp_ui(low_, 1) <= 0 && mpfr_cmp_ui(high_, 1) >= 0 && mpfr_cmp_ui_2exp(width.high_, 1, -100) < 0;
}

double Enclosure::approximate_log() const {
  if (is_zero()) return -std::numeric_limits<double>::infinity();
  long exponent = 0;
  const double mantissa = mpfr_get_d_2exp(&exponent, high_, MPFR_RNDN);
  return std::log(mantissa) + static_cast<double>(exponent) * std::numbers::ln2;
}

}  // namespace sotto
