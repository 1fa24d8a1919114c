// The logarithm of a binomial coefficient, for the likelihoods of channels that choose among many sets.
#pragma once

#include <cmath>

namespace sotto {

inline double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

}  // namespace sotto
