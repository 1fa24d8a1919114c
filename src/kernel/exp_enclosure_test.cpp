#include "sotto/kernel/exp_enclosure.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <utility>

#include "sotto/kernel/gmp_natural_test.h"

namespace sotto {
namespace {

// ⌊2^bits·e^(p/q)·(1 + 2^−bits·excess)⌋, from the MPFR library.
Natural scaled_exp(std::uint64_t p, std::uint64_t q, unsigned bits, long excess) {
  mpfr_t value, factor;
  mpfr_inits2(4096, value, factor, nullptr);
  mpfr_set_ui(value, p, MPFR_RNDN);
  mpfr_div_ui(value, value, q, MPFR_RNDN);
  mpfr_exp(value, value, MPFR_RNDN);
  mpfr_set_si(factor, excess, MPFR_RNDN);
  mpfr_div_2ui(factor, factor, bits, MPFR_RNDN);
  mpfr_add_ui(factor, factor, 1, MPFR_RNDN);
  mpfr_mul(value, value, factor, MPFR_RNDN);
  mpfr_mul_2ui(value, value, bits, MPFR_RNDN);
  mpz_t floor;
  mpz_init(floor);
  mpfr_get_z(floor, value, MPFR_RNDD);
  Natural result = natural_of(floor);
  mpz_clear(floor);
  mpfr_clears(value, factor, nullptr);
  return result;
}

// Few bits are the hard case: there every rounding shows.
TEST(ExpEnclosure, EnclosesTheExponentialAsTightlyAsProven) {
  for (const auto& [p, q] : {std::pair<std::uint64_t, std::uint64_t>{1, 1},
                             {1, 10},
                             {7, 5},
                             {10, 1},
                             {99, 7},
                             {100, 1},
                             {1, 10000},
                             {1, 17592186044415},
                             {33, 32},
                             {1024, 1},
                             {123456789, 1000000}})
    for (const unsigned bits : {0U, 1U, 4U, 16U, 80U, 144U, 400U}) {
      const ExpEnclosure exp = enclose_exp(p, q, bits);
      Natural above = scaled_exp(p, q, bits, 0);  // e^(p/q) is irrational: strictly above the floor
      EXPECT_TRUE(exp.low <= above) << p << "/" << q << ", " << bits << " bits";
      above += Natural(1);
      EXPECT_TRUE(above <= exp.high) << p << "/" << q << ", " << bits << " bits";
      const long proven = 8 + 2 * (4000 + static_cast<long>(bits));
      EXPECT_TRUE(exp.high <= scaled_exp(p, q, bits, proven)) << p << "/" << q << ", " << bits << " bits";
      if (bits > 16) {
        EXPECT_TRUE(scaled_exp(p, q, bits, -proven) <= exp.low) << p << "/" << q << ", " << bits << " bits";
      }
    }
}

}  // namespace
}  // namespace sotto
