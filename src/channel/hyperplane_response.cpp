#include "sotto/channel/hyperplane_response.h"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "sotto/channel/randomized_response.h"
#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/integer_sqrt.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

// |coefficients · x| for an x of length 1, on average: √(2/π) standard deviations, of which one is 8.
const double kMeanDistance = 8 * std::sqrt(2 / std::numbers::pi);

bool is_above(Point point, std::int64_t hyperplane) {
  std::int64_t height = 0;  // below 2^46: 2^20 coordinates of 2^20 at most, and 2^6
  for (std::size_t i = 0; i < point.size(); ++i) height += hyperplane_coefficient(hyperplane, i) * point[i];
  return height >= 0;
}

std::uint64_t length_of(Point point) {
  std::uint64_t square = 0;
  for (const std::int64_t value : point) square += static_cast<std::uint64_t>(value * value);
  return floor_sqrt(square);
}

class HyperplaneResponse final : public Channel {
 public:
  HyperplaneResponse(const L2Ball& ball, const Epsilon& epsilon, std::int64_t hyperplanes,
                     const RandomizedResponse& side)
      : Channel(ball, {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/hyperplane.md"},
                {{0, hyperplanes - 1}, {0, 1}}),
        radius_(static_cast<std::uint64_t>(ball.resolution)),
        hyperplanes_(static_cast<std::uint64_t>(hyperplanes)),
        side_(side) {}

 private:
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    report[0] = static_cast<std::int64_t>(uniform_below(hyperplanes_, entropy));
    const bool truthful = bernoulli<std::uint64_t>(radius_ + length_of(point), 2 * radius_, entropy);
    report[1] = side_.sample(is_above(point, report[0]) == truthful ? 1 : 0, entropy);
  }

  double log_pmf(Report report, Point point) const override {
    const double truthful = static_cast<double>(radius_ + length_of(point)) / static_cast<double>(2 * radius_);
    const std::int64_t side = is_above(point, report[0]) ? 1 : 0;
    return std::log(truthful * std::exp(side_.log_pmf(report[1], side)) +
                    (1 - truthful) * std::exp(side_.log_pmf(report[1], 1 - side))) -
           std::log(static_cast<double>(hyperplanes_));
  }

  void unbias(Report report, std::span<double> point) const override {
    std::array<double, 2> sides{};
    side_.unbias(report[1], sides);
    const double step = (sides[1] - sides[0]) * static_cast<double>(radius_) / kMeanDistance;
    for (std::size_t i = 0; i < point.size(); ++i)
      point[i] = step * static_cast<double>(hyperplane_coefficient(report[0], i));
  }

  std::uint64_t radius_, hyperplanes_;
  RandomizedResponse side_;
};

}  // namespace

std::int64_t hyperplane_coefficient(std::int64_t hyperplane, std::size_t coordinate) {
  // SplitMix64 [SLF14] of a counter: fair coins for anybody who does not look for a pattern.
  std::uint64_t coins = ((static_cast<std::uint64_t>(hyperplane) << 20) + coordinate + 1) * 0x9e3779b97f4a7c15U;
  coins = (coins ^ (coins >> 30)) * 0xbf58476d1ce4e5b9U;
  coins = (coins ^ (coins >> 27)) * 0x94d049bb133111ebU;
  return 2 * std::popcount(coins ^ (coins >> 31)) - 64;
}

Result<std::unique_ptr<Channel>> make_hyperplane_response(const L2Ball& ball, const Epsilon& epsilon,
                                                          std::int64_t hyperplanes) {
  if (const Status status = validate(Domain(ball)); !status) return status.error();
  if (hyperplanes < 1 || hyperplanes > kHyperplanes)
    return refuse("hyperplanes: must lie between 1 and 2^32, got " + std::to_string(hyperplanes));
  const auto side = RandomizedResponse::make(2, epsilon);
  if (!side) return side.error();
  return std::unique_ptr<Channel>(std::make_unique<HyperplaneResponse>(ball, epsilon, hyperplanes, *side));
}

}  // namespace sotto
