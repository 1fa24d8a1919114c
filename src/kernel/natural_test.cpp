#include "sotto/kernel/natural.h"

#include <gtest/gtest.h>

#include <random>

#include "sotto/kernel/gmp_natural_test.h"
#include "sotto/kernel/integer_sqrt.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

Natural natural(Uint128 value) {
  Natural result(static_cast<std::uint64_t>(value >> 64));
  result <<= 64;
  result += Natural(static_cast<std::uint64_t>(value));
  return result;
}

// A number of the GNU library, the independent reference.
class Reference {
 public:
  Reference() { mpz_init(value_); }
  ~Reference() { mpz_clear(value_); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  mpz_ptr get() { return value_; }

  Natural to_natural() const { return natural_of(value_); }

 private:
  mpz_t value_;
};

// Numbers whose length and whose digits are both irregular: long runs of ones and zeros are where carries go wrong.
class Numbers {
 public:
  void draw(Reference& number, unsigned max_bits) { mpz_rrandomb(number.get(), state_, engine_() % (max_bits + 1)); }
  std::uint64_t draw_word() {
    Reference number;
    draw(number, 64);
    return mpz_get_ui(number.get());
  }
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }

  Numbers() { gmp_randinit_default(state_); }
  ~Numbers() { gmp_randclear(state_); }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

 private:
  gmp_randstate_t state_;
  std::mt19937_64 engine_{1};
};

TEST(Natural, AgreesWithMachineArithmeticUpTo128Bits) {
  Numbers numbers;
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t a = numbers.draw_word(), b = numbers.draw_word(), c = numbers.draw_word() >> 1;
    EXPECT_TRUE(Natural(a) * Natural(b) == natural(Uint128{a} * b));
    Natural sum = natural(Uint128{a} * c);
    sum += Natural(b);
    EXPECT_TRUE(sum == natural(Uint128{a} * c + b));
    Natural quotient = natural(Uint128{a} * b);
    quotient /= c + 1;
    EXPECT_TRUE(quotient == natural(Uint128{a} * b / (c + 1)));
    EXPECT_EQ(natural(Uint128{a} * b) < natural(Uint128{a} * c), Uint128{a} * b < Uint128{a} * c);
    EXPECT_EQ(natural(Uint128{a} * b) <= natural(Uint128{a} * c), Uint128{a} * b <= Uint128{a} * c);
  }
}

TEST(Natural, AgreesWithTheGnuLibraryOnLongNumbers) {
  Numbers numbers;
  Reference a, b, expected;
  for (int round = 0; round < 5000; ++round) {
    numbers.draw(a, 700);
    numbers.draw(b, 700);
    const std::uint64_t word = numbers.draw_word();
    const auto shift = static_cast<unsigned>(numbers.below(300));
    const Natural x = a.to_natural(), y = b.to_natural();

    mpz_add(expected.get(), a.get(), b.get());
    Natural sum = x;
    EXPECT_TRUE((sum += y) == expected.to_natural());

    mpz_mul(expected.get(), a.get(), b.get());
    EXPECT_TRUE(x * y == expected.to_natural());

    mpz_mul_ui(expected.get(), a.get(), word);
    Natural product = x;
    EXPECT_TRUE((product *= word) == expected.to_natural());

    mpz_fdiv_q_ui(expected.get(), a.get(), word | 1);
    Natural quotient = x;
    EXPECT_TRUE((quotient /= word | 1) == expected.to_natural());

    mpz_mul_2exp(expected.get(), a.get(), shift);
    Natural shifted = x;
    EXPECT_TRUE((shifted <<= shift) == expected.to_natural());

    EXPECT_EQ(x < y, mpz_cmp(a.get(), b.get()) < 0);
    EXPECT_EQ(x <= y, mpz_cmp(a.get(), b.get()) <= 0);
    EXPECT_EQ(x.is_zero(), mpz_sgn(a.get()) == 0);
  }
}

TEST(Natural, ReturnsToZero) {
  Natural number(5);
  number <<= 200;
  number *= 0;
  EXPECT_TRUE(number.is_zero());
  EXPECT_TRUE(number == Natural());
  number <<= 64;
  EXPECT_TRUE(number == Natural(0));
  number += number;
  EXPECT_TRUE(number * Natural(7) == Natural());
}

TEST(FloorSqrt, IsTheLargestRootOfAllSmallAndOfTheLargestNumbers) {
  std::uint64_t root = 0;
  for (std::uint64_t n = 0; n < 100000; ++n) {
    if ((root + 1) * (root + 1) <= n) ++root;
    ASSERT_EQ(floor_sqrt(n), root) << n;
  }
  for (std::uint64_t r : {std::uint64_t{1} << 20, (std::uint64_t{1} << 31) + 12345, (std::uint64_t{1} << 32) - 1}) {
    EXPECT_EQ(floor_sqrt(r * r), r);
    EXPECT_EQ(floor_sqrt(r * r - 1), r - 1);
  }
  EXPECT_EQ(floor_sqrt(~std::uint64_t{0}), (std::uint64_t{1} << 32) - 1);
}

}  // namespace
}  // namespace sotto
