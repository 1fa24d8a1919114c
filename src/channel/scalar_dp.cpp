// inexact: see the header.
#include "sotto/channel/scalar_dp.h"

#include <cmath>
#include <string>

#include "sotto/kernel/bernoulli.h"

namespace sotto {
namespace {

// Randomised response keeps the truth with this probability and else draws from all k+1 symbols alike.
double kept(std::int64_t steps, double epsilon) {
  return -std::expm1(-epsilon) / (1 + static_cast<double>(steps) * std::exp(-epsilon));
}

}  // namespace

std::int64_t scalar_dp_steps(std::int64_t longest, double epsilon) {
  return static_cast<std::int64_t>(std::fmin(static_cast<double>(longest), std::ceil(std::exp(epsilon / 3))));
}

// The estimate is (symbol/k − (1−q)/2)/q with q = kept. A symbol drawn from all has mean 1/2 and mean square
// (2k+1)/(6k) in units of k; a kept one is 1, the farthest that a length can lie from (1−q)/2.
double scalar_dp_second_moment(std::int64_t steps, double epsilon) {
  const double q = kept(steps, epsilon);
  const double shift = (1 - q) / 2;
  const auto k = static_cast<double>(steps);
  const double drawn = (2 * k + 1) / (6 * k) - shift + shift * shift;
  return (q * (1 - shift) * (1 - shift) + (1 - q) * drawn) / (q * q);
}

ScalarDp::ScalarDp(std::int64_t longest, double epsilon, const RandomizedResponse& response)
    : longest_(longest), epsilon_(epsilon), response_(response) {}

Result<ScalarDp> ScalarDp::make(std::int64_t longest, const Epsilon& epsilon) {
  if (longest < 1 || longest > kMaxResolution)
    return refuse("longest: must lie between 1 and 2^20, got " + std::to_string(longest));
  const auto response = RandomizedResponse::make(scalar_dp_steps(longest, epsilon.to_double()) + 1, epsilon);
  if (!response) return response.error();
  return ScalarDp(longest, epsilon.to_double(), *response);
}

std::int64_t ScalarDp::sample(std::int64_t length, Entropy& entropy) const {
  const std::int64_t scaled = length * steps();
  const bool up = bernoulli<std::uint64_t>(static_cast<std::uint64_t>(scaled % longest_),
                                           static_cast<std::uint64_t>(longest_), entropy);
  return response_.sample(scaled / longest_ + (up ? 1 : 0), entropy);
}

double ScalarDp::log_pmf(std::int64_t symbol, std::int64_t length) const {
  const std::int64_t scaled = length * steps();
  const double up = static_cast<double>(scaled % longest_) / static_cast<double>(longest_);
  const std::int64_t lower = scaled / longest_;
  const double rounded_to_symbol = symbol == lower ? 1 - up : symbol == lower + 1 ? up : 0;
  return response_.log_pmf(0, 1) + std::log1p(rounded_to_symbol * std::expm1(epsilon_));
}

double ScalarDp::unbias(std::int64_t symbol) const {
  const double q = kept(steps(), epsilon_);
  const double share = static_cast<double>(symbol) / static_cast<double>(steps());
  return static_cast<double>(longest_) * (share - (1 - q) / 2) / q;
}

}  // namespace sotto
