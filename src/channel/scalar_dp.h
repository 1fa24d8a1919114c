// inexact: ScalarDP, a length between 0 and a known maximum [Bho19], the companion of PrivUnit₂.
//
// The length is rounded at random to one of the k+1 multiples of maximum/k, k = ⌈e^{ε/3}⌉ (or to the lattice itself
// when that is coarser), and the multiple goes through randomised response. Only the de-biasing is floating point: the
// coins are the exact ones of the kernel.
#pragma once

#include <cstdint>

#include "sotto/channel/randomized_response.h"

namespace sotto {

class ScalarDp {
 public:
  // For lengths 0 … longest; allowed: 1 ≤ longest ≤ 2^20.
  static Result<ScalarDp> make(std::int64_t longest, const Epsilon& epsilon);

  std::int64_t steps() const { return response_.categories() - 1; }  // k: a symbol is one of 0 … k

  std::int64_t sample(std::int64_t length, Entropy& entropy) const;
  double log_pmf(std::int64_t symbol, std::int64_t length) const;
  double unbias(std::int64_t symbol) const;  // expectation: the length

 private:
  ScalarDp(std::int64_t longest, double epsilon, const RandomizedResponse& response);

  std::int64_t longest_;
  double epsilon_;
  RandomizedResponse response_;
};

// The k above.
std::int64_t scalar_dp_steps(std::int64_t longest, double epsilon);

// E[unbias²] for the longest length, in units of longest²: no length has a larger one.
double scalar_dp_second_moment(std::int64_t steps, double epsilon);

}  // namespace sotto
