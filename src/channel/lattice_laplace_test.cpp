#include "sotto/channel/lattice_laplace.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"

namespace sotto {
namespace {

std::unique_ptr<Channel> make(std::size_t dimension, std::int64_t resolution, std::string_view epsilon) {
  return make_lattice_laplace({dimension, resolution}, epsilon_of(epsilon)).value_or_throw();
}

// The reports of a small channel number (2·(G + 48·2G/ε) + 3)^d, so a fine ε goes with few dimensions.
const struct {
  std::size_t dimension;
  std::int64_t resolution;
  const char* epsilon;
} kSmall[] = {{1, 1, "0.1"}, {1, 2, "1"},   {1, 5, "0.7"}, {1, 16, "1.4"}, {2, 1, "1"},
              {2, 2, "4"},   {2, 3, "2.5"}, {2, 5, "10"},  {3, 1, "10"},   {3, 2, "20"}};

TEST(LatticeLaplace, ReachesItsClaimExactlyAndNeverExceedsIt) {
  for (const auto& [dimension, resolution, epsilon] : kSmall) {
    SCOPED_TRACE(testing::Message() << "d = " << dimension << ", G = " << resolution << ", epsilon = " << epsilon);
    expect_pure_claim_holds(*make(dimension, resolution, epsilon), true);
  }
}

// The radius taken for the sensitivity halves the noise: a channel for 2ε, judged by ε.
TEST(LatticeLaplace, ClaimCheckRejectsTheRadiusForTheDiameter) {
  for (const auto& [dimension, resolution, epsilon] : {kSmall[1], kSmall[4], kSmall[8]}) {
    const auto doubled = epsilon_of(epsilon).plus(epsilon_of(epsilon)).value_or_throw();
    const auto mutant = make_lattice_laplace({dimension, resolution}, doubled).value_or_throw();
    const Exhaustion found = exhaust(*mutant, epsilon_of(epsilon));
    EXPECT_GT(found.log_ratio, epsilon_of(epsilon).to_double() + 1e-3);
    EXPECT_GT(found.hockey_stick, 1e-3);
  }
}

// 300,000 draws, α = 1e-6; detects an ε that is 5 % off.
TEST(LatticeLaplace, DrawsFromItsLikelihood) {
  for (const auto& [dimension, resolution, epsilon] : {kSmall[3], kSmall[5], kSmall[8]}) {
    const auto channel = make(dimension, resolution, epsilon);
    Integers corner(dimension, 0);
    corner.back() = -resolution;
    EXPECT_GT(fit_of_sampler(*channel, corner, 300000), kAlpha);
    EXPECT_GT(fit_of_sampler(*channel, Integers(dimension, 0), 300000), kAlpha);
  }
}

TEST(LatticeLaplace, LikelihoodFitRejectsAWrongScale) {
  EXPECT_LT(fit_of_sampler(*make(1, 16, "1.47"), {16}, 300000, *make(1, 16, "1.4")), kRejected);
}

TEST(LatticeLaplace, AddsNoiseOfTheRightSizeOnAFineLattice) {
  SeededEntropy entropy(5);
  const auto channel = make(8, 1 << 16, "1");
  const Integers point{1000, -2000, 0, 5, 0, 0, 30000, -1};
  Integers report(8);
  constexpr int kDraws = 100000;
  std::vector<double> sum(8, 0), magnitude(8, 0);
  for (int i = 0; i < kDraws; ++i) {
    channel->sample(point, entropy, report);
    for (std::size_t j = 0; j < 8; ++j) {
      const auto noise = static_cast<double>(report[j] - point[j]);
      sum[j] += noise;
      magnitude[j] += std::abs(noise);
    }
  }
  const double scale = 2 << 16;  // E|X| = scale, standard deviations √2·scale and scale; 6 of them accepted
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_NEAR(sum[j] / kDraws, 0, 6 * std::sqrt(2.0 / kDraws) * scale);
    EXPECT_NEAR(magnitude[j] / kDraws, scale, 6 * std::sqrt(1.0 / kDraws) * scale);
  }
}

TEST(LatticeLaplace, RefusesWhatItsConstraintRefuses) {
  EXPECT_FALSE(make_lattice_laplace({0, 10}, epsilon_of("1")));
  EXPECT_FALSE(make_lattice_laplace({3, 0}, epsilon_of("1")));
  EXPECT_FALSE(make_lattice_laplace({3, kMaxResolution + 1}, epsilon_of("1")));
}

}  // namespace
}  // namespace sotto
