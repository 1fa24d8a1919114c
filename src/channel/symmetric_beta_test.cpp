#include "sotto/channel/symmetric_beta.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <vector>

namespace sotto {
namespace {

// (d−1)/2 for d = 2, 3, 4, 11, 64, 784, 3072, 2^16, 2^20.
const std::vector<double> kShapes = {0.5, 1, 1.5, 5, 31.5, 391.5, 1535.5, 32767.5, 524287.5};

// The law's standard deviation, and fixed points far out.
std::vector<double> places(double a) {
  const double deviation = 0.5 / std::sqrt(2 * a + 1);
  std::vector<double> xs = {1e-12, 1e-6, 0.001, 0.1, 0.25, 0.3, 0.45, 0.5};
  for (const double z : {0.001, 0.1, 0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 20.0})
    if (z * deviation < 0.5) xs.push_back(0.5 - z * deviation);
  return xs;
}

TEST(SymmetricBeta, CdfMatchesBoostToTenDigits) {
  int compared = 0;
  for (const double a : kShapes) {
    const SymmetricBeta law(a);
    for (const double x : places(a)) {
      const auto expected = static_cast<double>(boost::math::ibeta<long double>(a, a, x));
      if (expected < 1e-290) continue;  // below, both sides lose digits to denormal numbers
      EXPECT_NEAR(law.cdf(x) / expected, 1, 1e-10) << "a = " << a << ", x = " << x;
      EXPECT_NEAR(law.cdf(1 - x), 1 - expected, 1e-10) << "a = " << a << ", x = " << x;
      ++compared;
    }
  }
  EXPECT_GT(compared, 80);
}

TEST(SymmetricBeta, QuantileInvertsBoostsCdfToTenDigits) {
  for (const double a : kShapes) {
    const SymmetricBeta law(a);
    for (const double q : {1e-70, 1e-40, 1e-16, 1e-9, 1e-3, 0.05, 0.3, 0.499999, 0.5, 0.7, 0.99, 0.9999}) {
      const auto back = static_cast<double>(boost::math::ibeta<long double>(a, a, law.quantile(q)));
      EXPECT_NEAR(back / q, 1, 1e-10) << "a = " << a << ", q = " << q;
    }
  }
}

TEST(SymmetricBeta, PartialMeanMatchesQuadrature) {
  boost::math::quadrature::tanh_sinh<double> integrator;
  for (const double a : {1.0, 1.5, 5.0, 31.5, 391.5}) {
    const double deviation = 0.5 / std::sqrt(2 * a + 1);
    for (const double x : {0.5, 0.5 - deviation, std::max(0.01, 0.5 - 3 * deviation)}) {
      const auto integrand = [&](double y) { return (1 - 2 * y) * boost::math::ibeta_derivative(a, a, y); };
      EXPECT_NEAR(SymmetricBeta(a).partial_mean(x) / integrator.integrate(integrand, 0.0, x), 1, 1e-9)
          << "a = " << a << ", x = " << x;
    }
  }
}

}  // namespace
}  // namespace sotto
