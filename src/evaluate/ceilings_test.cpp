#include "sotto/evaluate/ceilings.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace sotto {
namespace {

// [Man21, Eq. 37] with b = 2/ε by Simpson's rule on either side of its kink, in long double.
double by_integration(double epsilon, int classes) {
  const long double b = 2 / static_cast<long double>(epsilon);
  const auto integrand = [&](long double z) {
    return std::exp(-std::abs(1 - z) / b) / (2 * b) * std::pow(1 - std::exp(-z / b), classes / 2 - 1.0L);
  };
  const auto simpson = [&](long double from, long double to) {
    constexpr int kSteps = 20'000;
    const long double h = (to - from) / kSteps;
    long double sum = integrand(from) + integrand(to);
    for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * integrand(from + i * h);
    return sum * h / 3;
  };
  return static_cast<double>(simpson(0, 1) + simpson(1, 1 + 45 * b));
}

// [Man21, Eq. 43] as printed.
double by_closed_form(double epsilon, int classes) {
  const long double e = epsilon;
  const int m = classes / 2 - 1;
  long double sum = -(e + 1) / 8 * (classes - 2) * std::exp(-e / 2), binomial = 1;
  for (int j = 0; j <= m; ++j) {
    if (j != 1)
      sum += binomial * (j % 2 == 0 ? 1 : -1) / (1 - j) * (std::exp(-j * e / 2) / (1 + j) - std::exp(-e / 2) / 2);
    binomial = binomial * (m - j) / (j + 1);
  }
  return static_cast<double>(sum);
}

TEST(LaplaceSphereCeiling, IsThePublishedRow) {
  constexpr std::array kEpsilon = {7.0, 5.6, 4.2, 2.8, 1.4, 0.7};
  constexpr std::array kPercent = {80.7, 69.3, 53.8, 36.0, 20.0, 14.2};
  for (std::size_t i = 0; i < kEpsilon.size(); ++i)
    EXPECT_NEAR(100 * laplace_sphere_ceiling(kEpsilon[i], 10), kPercent[i], 0.05) << "epsilon = " << kEpsilon[i];
}

TEST(LaplaceSphereCeiling, IsTheIntegralOfThePaper) {
  for (const int classes : {2, 4, 10, 100, 1000})
    for (const double epsilon : {0.01, 0.7, 1.4, 7.0, 20.0, 80.0})
      EXPECT_NEAR(laplace_sphere_ceiling(epsilon, classes) / by_integration(epsilon, classes), 1, 1e-10)
          << classes << " classes, epsilon = " << epsilon;
}

TEST(LaplaceSphereCeiling, IsTheClosedFormOfThePaperWhereThatCanBeComputed) {
  for (const int classes : {2, 4, 6, 10})
    for (const double epsilon : {0.7, 1.4, 2.8, 4.2, 5.6, 7.0, 10.0, 50.0})
      EXPECT_NEAR(laplace_sphere_ceiling(epsilon, classes) / by_closed_form(epsilon, classes), 1, 1e-12)
          << classes << " classes, epsilon = " << epsilon;
}

// Reference values from an integration in 50 digits. Rounding 1 − e^{−x} before taking its power costs up to 3e-12
// here.
TEST(LaplaceSphereCeiling, KeepsItsDigitsWithManyClasses) {
  struct Reference {
    int classes;
    double epsilon, ceiling;
  };
  for (const auto& [classes, epsilon, ceiling] :
       {Reference{9999, 0.01, 0.00010051130321626174}, Reference{9999, 33.3, 0.99867031960137986},
        Reference{1'000'000, 10, 0.00014841315910257662}, Reference{1'000'000, 33.3, 0.93449290263326634}})
    EXPECT_NEAR(laplace_sphere_ceiling(epsilon, classes) / ceiling, 1, 1e-14)
        << classes << " classes, epsilon = " << epsilon;
}

TEST(LaplaceSphereCeiling, ForTwoClassesIsTheLaplaceTail) {
  for (const double epsilon : {1e-9, 0.5, 3.0, 60.0, 1000.0})
    EXPECT_NEAR(laplace_sphere_ceiling(epsilon, 2), 1 - std::exp(-epsilon / 2) / 2, 1e-14);
}

// For three classes, at (1, 0), (−1, 0) and (0, 1), the mean over them of the mass of the likeliest, on a fine grid.
TEST(LaplaceSphereCeiling, PlacesTheLastOfAnOddNumberOfClassesAlone) {
  const double b = 2 / 3.0;
  constexpr int kSteps = 1500;
  const double edge = 10, h = 2 * edge / kSteps;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i)
    for (int j = 0; j < kSteps; ++j) {
      const double x = -edge + (i + 0.5) * h, y = -edge + (j + 0.5) * h;
      const double nearest =
          std::min({std::abs(x - 1) + std::abs(y), std::abs(x + 1) + std::abs(y), std::abs(x) + std::abs(y - 1)});
      sum += std::exp(-nearest / b);
    }
  EXPECT_NEAR(laplace_sphere_ceiling(3.0, 3), sum * h * h / (4 * b * b) / 3, 1e-4);
}

TEST(LaplaceSphereCeiling, RisesFromChanceToCertaintyAndStaysBelowTheCeilingOfAllChannels) {
  for (const int classes : {2, 3, 10, 11, 1000, 999'999}) {
    EXPECT_NEAR(laplace_sphere_ceiling(0, classes) * classes, 1, 1e-12);
    EXPECT_NEAR(laplace_sphere_ceiling(1000, classes), 1, 1e-12);
    double previous = 0;
    for (double epsilon = 1e-6; epsilon <= 1000; epsilon *= 1.3) {
      const double ceiling = laplace_sphere_ceiling(epsilon, classes);
      EXPECT_GE(ceiling, previous * (1 - 1e-13));
      EXPECT_LE(ceiling, any_channel_ceiling(epsilon, classes) * (1 + 1e-13));
      previous = ceiling;
    }
  }
}

TEST(AnyChannelCeiling, IsThePublishedFormula) {
  EXPECT_NEAR(any_channel_ceiling(7, 10), 0.992, 5e-4);
  EXPECT_NEAR(any_channel_ceiling(1.4, 10), 0.311, 5e-4);
  EXPECT_DOUBLE_EQ(any_channel_ceiling(0, 7), 1.0 / 7);
}

TEST(Ceilings, AreNotANumberOutsideTheirRange) {
  for (const auto ceiling : {laplace_sphere_ceiling, any_channel_ceiling}) {
    EXPECT_TRUE(std::isnan(ceiling(-0.1, 10)));
    EXPECT_TRUE(std::isnan(ceiling(1000.1, 10)));
    EXPECT_TRUE(std::isnan(ceiling(std::nan(""), 10)));
    EXPECT_TRUE(std::isnan(ceiling(1, 1)));
    EXPECT_TRUE(std::isnan(ceiling(1, 1'000'001)));
  }
}

}  // namespace
}  // namespace sotto
