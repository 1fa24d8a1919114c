#include "sotto/kernel/exp_odds.h"

#include <string>

#include "sotto/kernel/exp_enclosure.h"

namespace sotto {
namespace {

// Whether digits / 2^bits ≤ a·x / (a·x + b), where x = exp / 2^(bits+64).
bool at_most_theta(const Natural& digits, unsigned bits, Natural exp, std::uint64_t a, std::uint64_t b) {
  exp *= a;
  Natural total(b);
  total <<= bits + 64;
  total += exp;
  exp <<= bits;
  return digits * total <= exp;
}

Natural successor(Natural n) {
  n += Natural(1);
  return n;
}

}  // namespace

Result<ExpOdds> ExpOdds::make(std::uint64_t a, std::uint64_t b, std::uint64_t p, std::uint64_t q) {
  constexpr std::uint64_t kMaxWeight = std::uint64_t{1} << 32;
  if (a < 1 || a >= kMaxWeight || b >= kMaxWeight)
    return refuse("exp_odds: weights must satisfy 1 <= a < 2^32 and b < 2^32");
  if (p < 1 || q < 1 || q >= (std::uint64_t{1} << 44) || p > 1024 * q)
    return refuse("exp_odds: exponent p/q must satisfy 0 < p/q <= 1024 and q < 2^44, got p = " + std::to_string(p) +
                  ", q = " + std::to_string(q));
  ExpOdds odds(a, b, p, q);
  const ExpEnclosure exp = enclose_exp(p, q, 16 + 64);
  for (std::uint32_t step = 1U << 16; step > 0; step /= 2)
    if (at_most_theta(Natural(odds.boundary_ + step), 16, exp.low, a, b)) odds.boundary_ += step;
  return odds;
}

bool ExpOdds::refine(std::uint16_t first, Entropy& entropy) const {
  Natural digits(first);
  for (unsigned bits = 16;; bits += 64) {
    const ExpEnclosure exp = enclose_exp(p_, q_, bits + 64);
    if (at_most_theta(successor(digits), bits, exp.low, a_, b_)) return true;
    if (!at_most_theta(digits, bits, exp.high, a_, b_)) return false;
    digits <<= 64;
    digits += Natural(entropy.take<std::uint64_t>());
  }
}

}  // namespace sotto
