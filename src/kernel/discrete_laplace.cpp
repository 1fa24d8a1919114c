#include "sotto/kernel/discrete_laplace.h"

#include <algorithm>
#include <string>

#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

constexpr std::uint64_t kParameterLimit = std::uint64_t{1} << 55;
constexpr std::uint64_t kSumLimit = std::uint64_t{1} << 62;

}  // namespace

Result<DiscreteLaplace> DiscreteLaplace::make(std::uint64_t s, std::uint64_t t) {
  if (s < 1 || t < 1 || s >= kParameterLimit || t >= kParameterLimit)
    return refuse("discrete Laplace: rate s/t needs 1 <= s, t < 2^55, got s = " + std::to_string(s) +
                  ", t = " + std::to_string(t));
  return DiscreteLaplace(s, t);
}

DiscreteLaplace::DiscreteLaplace(std::uint64_t s, std::uint64_t t)
    : s_(s), t_(t), most_folds_(kSumLimit / t), limit_(static_cast<std::int64_t>(most_folds_ * t / s)) {}

std::int64_t DiscreteLaplace::sample(Entropy& entropy) const {
  while (true) {
    // X = U + t·V is geometric with ratio exp(−1/t): U < t carries exp(−U/t), V counts whole folds exp(−1).
    const std::uint64_t u = uniform_below(t_, entropy);
    if (!bernoulli_exp_fraction(u, t_, entropy)) continue;
    std::uint64_t v = 0;
    while (v < most_folds_ && bernoulli_exp_one(entropy)) ++v;
    // ⌊X/s⌋ is geometric with ratio exp(−s/t).
    const auto magnitude = std::min(static_cast<std::int64_t>((u + t_ * v) / s_), limit_);
    const bool negative = (entropy.take<std::uint8_t>() & 1) != 0;
    if (negative && magnitude == 0) continue;  // or zero would be counted twice
    return negative ? -magnitude : magnitude;
  }
}

}  // namespace sotto
