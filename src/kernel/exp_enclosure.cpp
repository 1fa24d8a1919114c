#include "sotto/kernel/exp_enclosure.h"

namespace sotto {

// Sums 2^bits·(p/q)^k/k!, each term rounded down for `low` and up for `high`. Once k ≥ 2p/q the terms at least halve,
// so what is left out after a term t is at most t; the last `high` term is therefore counted twice.
ExpEnclosure enclose_exp(std::uint64_t p, std::uint64_t q, unsigned bits) {
  Natural term_low(1);
  term_low <<= bits;
  Natural term_high = term_low;
  ExpEnclosure sum{term_low, term_high};
  for (std::uint64_t k = 1;; ++k) {
    term_low *= p;
    term_low /= q * k;
    term_high *= p;
    term_high /= q * k;
    term_high += Natural(1);
    sum.low += term_low;
    sum.high += term_high;
    if (term_low.is_zero() && k >= 2 * (p / q + 1)) {
      sum.high += term_high;
      return sum;
    }
  }
}

}  // namespace sotto
