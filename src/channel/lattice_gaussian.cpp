#include "sotto/channel/lattice_gaussian.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sotto/kernel/discrete_gaussian.h"
#include "sotto/kernel/integer_sqrt.h"
#include "sotto/privacy/gaussian_accounting.h"

namespace sotto {
namespace {

constexpr std::int64_t kSigmasToTheWindow = 12;  // met with probability below 1e−32 per coordinate

// log Σ exp(−x²/(2σ²)) over x ≥ first, summed relative to its first term.
double log_tail(std::int64_t first, double variance) {
  const auto nearest = static_cast<double>(first);
  double sum = 0;
  for (double x = nearest;; x += 1) {
    const double exponent = (nearest - x) * (nearest + x) / (2 * variance);
    if (exponent < -40) break;
    sum += std::exp(exponent);
  }
  return std::log(sum) - nearest * nearest / (2 * variance);
}

// log Σ exp(−x²/(2σ²)) over all x. From σ² = 2 on it is that of the integral, √(2πσ²), up to 2·exp(−2π²σ²) < 1e−16
// relatively (Poisson summation).
double log_sum(double variance) {
  if (variance >= 2) return std::log(2 * std::numbers::pi * variance) / 2;
  return std::log1p(2 * std::exp(log_tail(1, variance)));
}

class LatticeGaussian final : public Channel {
 public:
  LatticeGaussian(L2Ball ball, Claim claim, DiscreteGaussian noise, double variance, Range window)
      : Channel(ball, std::move(claim), std::vector<Range>(ball.dimension, window)),
        noise_(noise),
        variance_(variance),
        log_normaliser_(log_sum(variance)),
        window_(window) {}

 private:
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    for (std::size_t i = 0; i < point.size(); ++i)
      report[i] = std::clamp(point[i] + noise_.sample(entropy), window_.low, window_.high);
  }

  double log_pmf(Report report, Point point) const override {
    double sum = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const std::int64_t distance = std::abs(report[i] - point[i]);
      const bool at_the_window = report[i] == window_.low || report[i] == window_.high;
      const auto x = static_cast<double>(distance);
      sum += (at_the_window ? log_tail(distance, variance_) : -x * x / (2 * variance_)) - log_normaliser_;
    }
    return sum;
  }

  void unbias(Report report, std::span<double> point) const override {
    for (std::size_t i = 0; i < point.size(); ++i) point[i] = static_cast<double>(report[i]);
  }

  DiscreteGaussian noise_;
  double variance_;
  double log_normaliser_;
  Range window_;
};

}  // namespace

Result<std::unique_ptr<Channel>> make_lattice_gaussian(L2Ball ball, const Epsilon& epsilon, const Delta& delta) {
  if (const Status status = validate(Domain(ball)); !status) return status.error();
  const auto diameter = static_cast<std::uint64_t>(2 * ball.resolution);
  const auto variance = discrete_gaussian_variance(diameter * diameter, epsilon, delta);
  if (!variance) return variance.error();
  const auto noise = DiscreteGaussian::make(*variance, 1);
  if (!noise) return noise.error();
  const std::int64_t margin = kSigmasToTheWindow * (static_cast<std::int64_t>(floor_sqrt(*variance)) + 1);
  const Range window{-ball.resolution - margin, ball.resolution + margin};
  return std::unique_ptr<Channel>(
      std::make_unique<LatticeGaussian>(ball, Claim{epsilon, delta, Exactness::kExact, "docs/proofs/gaussian.md"},
                                        *noise, static_cast<double>(*variance), window));
}

}  // namespace sotto
