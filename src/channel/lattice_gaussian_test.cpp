#include "sotto/channel/lattice_gaussian.h"

#include <gtest/gtest.h>

#include "sotto/channel/exhaustion_test.h"
#include "sotto/privacy/gaussian_accounting.h"

namespace sotto {
namespace {

std::unique_ptr<Channel> make(std::size_t dimension, std::int64_t resolution, const char* epsilon, const char* delta) {
  return make_lattice_gaussian({dimension, resolution}, epsilon_of(epsilon), Delta::parse(delta).value_or_throw())
      .value_or_throw();
}

const struct {
  std::size_t dimension;
  std::int64_t resolution;
  const char *epsilon, *delta;
} kSmall[] = {
    {1, 1, "1", "0.01"}, {1, 5, "0.5", "1e-5"}, {1, 3, "3", "1e-9"}, {2, 1, "1", "0.001"}, {2, 2, "4", "1e-4"}};

TEST(LatticeGaussian, KeepsItsDeltaBetweenAnyTwoPoints) {
  for (const auto& [dimension, resolution, epsilon, delta] : kSmall) {
    SCOPED_TRACE(testing::Message() << "d = " << dimension << ", G = " << resolution << ", epsilon = " << epsilon);
    const auto channel = make(dimension, resolution, epsilon, delta);
    const Exhaustion found = exhaust(*channel, epsilon_of(epsilon));
    EXPECT_LE(found.hockey_stick, channel->claim().delta.to_double());
    EXPECT_GE(found.hockey_stick, channel->claim().delta.to_double() / 100) << "far more noise than needed";
    EXPECT_LE(found.total_error, 1e-9);
    EXPECT_LE(found.bias, 1e-9);
  }
}

// Where the sum over the integers is not yet the integral: the variance is 1 here, the least there is.
TEST(LatticeGaussian, HasALawThatSumsToOneAtTheSmallestVariance) {
  const auto channel = make(1, 1, "50", "0.1");
  EXPECT_EQ(channel->report_ranges()[0], (Range{-25, 25}));
  EXPECT_LE(exhaust(*channel, epsilon_of("50")).total_error, 1e-12);
}

// A law by formula, on the window of the honest channel.
std::unique_ptr<Channel> gaussian_by_formula(const Channel& honest, double variance) {
  const Range window = honest.report_ranges()[0];
  const auto weight = [=](double x) { return std::exp(-x * x / (2 * variance)); };
  double total = 1;
  for (int x = 1; x < 1000; ++x) total += 2 * weight(x);
  return std::make_unique<PmfChannel>(honest.domain(), honest.claim().epsilon, honest.report_ranges(),
                                      [=](Report report, Point point) {
                                        double p = 1;
                                        for (std::size_t i = 0; i < report.size(); ++i) {
                                          p *= weight(static_cast<double>(report[i] - point[i])) / total;
                                          if (report[i] == window.low || report[i] == window.high) p = 0;
                                        }
                                        return p;
                                      });
}

TEST(LatticeGaussian, DeltaCheckRejectsTheRadiusForTheDiameter) {
  for (const auto& [dimension, resolution, epsilon, delta] : kSmall) {
    const auto honest = make(dimension, resolution, epsilon, delta);
    const auto radius_squared = static_cast<std::uint64_t>(resolution * resolution);
    const auto variance =
        discrete_gaussian_variance(radius_squared, epsilon_of(epsilon), honest->claim().delta).value_or_throw();
    const auto mutant = gaussian_by_formula(*honest, static_cast<double>(variance));
    EXPECT_GT(exhaust(*mutant, epsilon_of(epsilon)).hockey_stick, honest->claim().delta.to_double());
  }
}

TEST(LatticeGaussian, HasTheLikelihoodOfItsFormula) {
  const auto channel = make(1, 5, "0.5", "1e-5");
  const auto variance =
      discrete_gaussian_variance(100, epsilon_of("0.5"), Delta::parse("1e-5").value_or_throw()).value_or_throw();
  const auto formula = gaussian_by_formula(*channel, static_cast<double>(variance));
  const Range window = channel->report_ranges()[0];
  for (std::int64_t report = window.low + 1; report < window.high; ++report)
    ASSERT_NEAR(channel->log_likelihood(Integers{report}, Integers{-4}),
                formula->log_likelihood(Integers{report}, Integers{-4}), 1e-9);
}

// 200,000 draws, α = 1e-6; detects a variance that is 10 % off.
TEST(LatticeGaussian, DrawsFromItsLikelihood) {
  for (const auto& [dimension, resolution, epsilon, delta] : {kSmall[0], kSmall[1], kSmall[3]}) {
    Integers corner(dimension, 0);
    corner.back() = -resolution;
    EXPECT_GT(fit_of_sampler(*make(dimension, resolution, epsilon, delta), corner, 200000), kAlpha);
  }
}

TEST(LatticeGaussian, LikelihoodFitRejectsAWrongVariance) {
  const auto channel = make(1, 5, "0.5", "1e-5");
  const auto variance =
      discrete_gaussian_variance(100, epsilon_of("0.5"), Delta::parse("1e-5").value_or_throw()).value_or_throw();
  const auto wrong = gaussian_by_formula(*channel, 0.9 * static_cast<double>(variance));
  EXPECT_LT(fit_of_sampler(*channel, {5}, 200000, *wrong), kRejected);
}

TEST(LatticeGaussian, WorksOnAFineLattice) {
  Entropy entropy;
  for (const char* epsilon : {"0.1", "0.5", "1", "10"}) {
    const auto channel = make(8, 1 << 16, epsilon, "1e-6");
    Integers report(8);
    channel->sample(Integers(8, 20000), entropy, report);
    EXPECT_TRUE(std::isfinite(channel->log_likelihood(report, Integers(8, 20000))));
  }
}

TEST(LatticeGaussian, RefusesADeltaOfZero) {
  EXPECT_FALSE(make_lattice_gaussian({2, 5}, epsilon_of("1"), Delta::zero()));
  EXPECT_FALSE(make_lattice_gaussian({0, 5}, epsilon_of("1"), Delta::parse("1e-5").value_or_throw()));
}

}  // namespace
}  // namespace sotto
