// inexact: see the header.
#include "sotto/channel/privunit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "sotto/channel/inexact_claim.h"
#include "sotto/channel/real_uniform.h"
#include "sotto/channel/scalar_dp.h"

namespace sotto {
namespace {

constexpr double kCells = 0x1p20;  // per unit of a coordinate

// Narrower caps (tiny d, huge ε) would drown in the rounding of the report; this one is 2^13 cells across.
constexpr double kLargestGamma = 1 - 0x1p-17;

// The norm of a standard normal vector exceeds √d + 8 with probability below e^−32.
std::vector<Range> ranges_for(const DirectionAndLength& sphere, std::int64_t steps) {
  const auto reach = static_cast<std::int64_t>(kCells * (1 + 8 / std::sqrt(static_cast<double>(sphere.dimension)))) + 1;
  std::vector<Range> ranges(sphere.dimension, {-reach, reach});
  ranges.push_back({0, steps});
  return ranges;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double norm(Point integers) {
  double sum = 0;
  for (const std::int64_t k : integers) sum += static_cast<double>(k) * static_cast<double>(k);
  return std::sqrt(sum);
}

class PrivUnit final : public Channel {
 public:
  PrivUnit(const DirectionAndLength& sphere, Claim claim, const SymmetricBeta& law, double direction_epsilon,
           const ScalarDp& length)
      : Channel(sphere, std::move(claim), ranges_for(sphere, length.steps())),
        dimension_(sphere.dimension),
        law_(law),
        cap_(best_cap(law, direction_epsilon)),
        length_(length) {}

 private:
  // V = t·u + √(1−t²)·w with w uniform among the unit vectors orthogonal to u: a normal vector without its part along
  // u, normalised. The norm of that normal vector depends on neither w nor t, and becomes the norm of the report.
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    report.back() = length_.sample(point.back(), entropy);
    const std::vector<double> u = unit(point.first(dimension_));
    std::vector<double> w(dimension_);
    double size = 0;
    double across = 0;
    do {
      fill_normal(w, entropy);
      size = std::sqrt(dot(w, w) / static_cast<double>(dimension_)) * kCells;
      const double along = dot(w, u);
      for (std::size_t i = 0; i < dimension_; ++i) w[i] -= along * u[i];
      across = std::sqrt(dot(w, w));
    } while (!(across > 0));
    const double x = draw_angle(entropy);
    const double part_u = size * (1 - 2 * x);
    const double part_w = size * 2 * std::sqrt(x * (1 - x)) / across;
    const auto [low, high] = report_ranges().front();
    for (std::size_t i = 0; i < dimension_; ++i)
      report[i] = std::clamp<std::int64_t>(std::llround(part_u * u[i] + part_w * w[i]), low, high);
  }

  // (1 − ⟨V, u⟩)/2: below its c-quantile in the cap, above it elsewhere.
  double draw_angle(Entropy& entropy) const {
    if (uniform_real(entropy) <= cap_.chance) return law_.quantile(uniform_real(entropy) * cap_.cap_share);
    return 1 - law_.quantile(uniform_real(entropy) * (1 - cap_.cap_share));
  }

  // The cell's volume times the normal density at its centre, times the density against the uniform direction.
  double log_pmf(Report report, Point point) const override {
    const Report vector = report.first(dimension_);
    const Point direction = point.first(dimension_);
    double inner = 0;
    for (std::size_t i = 0; i < dimension_; ++i)
      inner += static_cast<double>(vector[i]) * static_cast<double>(direction[i]);
    const double size = norm(vector);
    const bool in_cap = inner >= cap_.gamma * size * norm(direction);
    const auto d = static_cast<double>(dimension_);
    const double log_normal =
        d * (0.5 * std::log(d / (2 * std::numbers::pi)) - std::log(kCells) - 0.5 * (size / kCells) * (size / kCells));
    return log_normal + (in_cap ? cap_.log_in_cap : cap_.log_beyond) + length_.log_pmf(report.back(), point.back());
  }

  void unbias(Report report, std::span<double> point) const override {
    const double size = norm(report.first(dimension_));
    const double factor = size > 0 ? length_.unbias(report.back()) / (cap_.mean * size) : 0;
    for (std::size_t i = 0; i < dimension_; ++i) point[i] = factor * static_cast<double>(report[i]);
  }

  static std::vector<double> unit(Point direction) {
    const double size = norm(direction);
    std::vector<double> u(direction.size());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<double>(direction[i]) / size;
    return u;
  }

  std::size_t dimension_;
  SymmetricBeta law_;
  PrivUnitCap cap_;
  ScalarDp length_;
};

}  // namespace

// With p as large as ε allows, p/(1−p) = e^ε·c/(1−c), the mean is m(γ) = S(γ)·(e^ε−1)/(1 + c(γ)(e^ε−1)), where S is the
// partial mean of the cap, and m' has the sign of m − γ. So the best cap is the one with m(γ) = γ, and γ ← m(γ) climbs
// to it from 0 without ever stepping over (docs/proofs/inexact.md).
PrivUnitCap best_cap(const SymmetricBeta& law, double epsilon) {
  const double odds = std::expm1(epsilon);
  double gamma = 0;
  while (true) {
    const double x = (1 - gamma) / 2;
    const double share = law.cdf(x);
    const double mean = law.partial_mean(x) * odds / (1 + share * odds);
    const double next = std::fmin(mean, kLargestGamma);
    if (next <= gamma * (1 + 1e-14)) {
      const double log_weight = std::log1p(share * odds);
      return {gamma, share, share * (1 + odds) / (1 + share * odds), mean, epsilon - log_weight, -log_weight};
    }
    gamma = next;
  }
}

std::uint64_t length_share_of_64(const SymmetricBeta& law, std::int64_t longest, double epsilon) {
  std::uint64_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint64_t share = 1; share < 64; ++share) {
    const double for_length = epsilon * static_cast<double>(share) / 64;
    const double mean = best_cap(law, epsilon - for_length).mean;
    const double moment = scalar_dp_second_moment(scalar_dp_steps(longest, for_length), for_length) / (mean * mean);
    if (moment < least) {
      least = moment;
      best = share;
    }
  }
  return best;
}

Result<std::unique_ptr<Channel>> make_privunit(DirectionAndLength sphere, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(sphere)); !status) return status.error();
  if (sphere.dimension < 2)
    return refuse("dimension: PrivUnit needs at least 2, got " + std::to_string(sphere.dimension));
  auto claim = make_inexact_claim(epsilon);
  if (!claim) return claim.error();
  const SymmetricBeta law((static_cast<double>(sphere.dimension) - 1) / 2);
  const std::uint64_t share = length_share_of_64(law, sphere.resolution, epsilon.to_double());
  const auto fraction = Rational::make(share, 64);
  if (!fraction) return fraction.error();
  const auto for_length = epsilon.times(*fraction);
  if (!for_length) return for_length.error();
  const auto length = ScalarDp::make(sphere.resolution, *for_length);
  if (!length) return length.error();
  return std::unique_ptr<Channel>(std::make_unique<PrivUnit>(sphere, *std::move(claim), law,
                                                             epsilon.to_double() - for_length->to_double(), *length));
}

}  // namespace sotto
