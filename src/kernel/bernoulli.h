// Exact coins: Bernoulli(p/q) and Bernoulli(exp(−p/q)) from random bytes, in integers.
#pragma once

#include <cstdint>

#include "sotto/kernel/entropy.h"
#include "sotto/kernel/uniform.h"

namespace sotto {

// True with probability exactly p/q. Precondition: 0 ≤ p ≤ q, q > 0, q < 2^(w−8) for the w bits of Int.
//
// Compares a uniform real with p/q byte by byte: after byte b the real lies in [b, b+1)/256, and unless that decides,
// the question left is the same one with p' = 256·p − b·q, 0 < p' < q. One byte suffices 255 times out of 256.
template <typename Int>
bool bernoulli(Int p, Int q, Entropy& entropy) {
  while (true) {
    const Int passed = static_cast<Int>(entropy.take<std::uint8_t>()) * q;
    const Int target = p << 8;
    if (passed >= target) return false;
    p = target - passed;
    if (p >= q) return true;
  }
}

// True with probability exactly exp(−p/q), for 0 ≤ p ≤ q [CKS20, Alg. 1]. Draws A_k ~ Bernoulli((p/q)/k) until the
// first failure at k = K; P(K > k) = (p/q)^k / k!, so K is odd with probability exp(−p/q). The coin (p/q)/k is tossed
// as Bernoulli(p/q) and Bernoulli(1/k), which keeps every integer small.
template <typename Int>
bool bernoulli_exp_fraction(Int p, Int q, Entropy& entropy) {
  std::uint64_t k = 1;
  while (bernoulli(p, q, entropy) && (k == 1 || bernoulli<std::uint64_t>(1, k, entropy))) ++k;
  return k % 2 == 1;
}

// True with probability exactly exp(−1): the same, with p/q = 1, whose first coin always falls on true.
inline bool bernoulli_exp_one(Entropy& entropy) {
  std::uint64_t k = 2;
  while (bernoulli<std::uint64_t>(1, k, entropy)) ++k;
  return k % 2 == 1;
}

// True with probability exactly exp(−p/q), for any p ≥ 0: a product of coins exp(−1) and one for the rest p/q ≤ 1.
template <typename Int>
bool bernoulli_exp(Int p, Int q, Entropy& entropy) {
  for (; p > q; p -= q)
    if (!bernoulli_exp_one(entropy)) return false;
  return bernoulli_exp_fraction(p, q, entropy);
}

}  // namespace sotto
