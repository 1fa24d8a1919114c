#include "sotto/train/likelihood.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sotto {
namespace {

std::vector<float> records() {
  std::vector<float> values;
  for (int i = 0; i < 5003; ++i)
    values.push_back(static_cast<float>(i % 256) / 255);  // no multiple of a vector's width
  return values;
}

std::vector<float> outputs() {
  std::vector<float> values;
  for (int i = 0; i < 5003; ++i) values.push_back(12 * std::sin(static_cast<float>(i)) + (i == 7 ? 300.F : 0.F));
  return values;
}

// Straight from the definitions, in double.
double plain(Likelihood likelihood, double x, double a) {
  const double margin = 0.5 / 255, inside = std::min(std::max(x, margin), 1 - margin);
  switch (likelihood) {
    case Likelihood::kBernoulli:
      return x * a - (a > 30 ? a : std::log1p(std::exp(a)));
    case Likelihood::kGaussian:
      return -0.5 * (x - a) * (x - a);
    case Likelihood::kLogitGaussian:
      return -0.5 * std::pow(std::log(inside / (1 - inside)) - a, 2);
  }
  return 0;
}

class EveryLikelihood : public testing::TestWithParam<Likelihood> {};

TEST_P(EveryLikelihood, EqualsItsDefinitionAndHasItsSlope) {
  const auto x = records(), a = outputs();
  std::vector<float> gradient(x.size());
  const double value = log_likelihood(GetParam(), x, a, -2, gradient);
  double expected = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected += plain(GetParam(), static_cast<double>(x[i]), static_cast<double>(a[i]));
    const double step = 1e-4, at = static_cast<double>(a[i]), here = static_cast<double>(x[i]);
    const double slope = (plain(GetParam(), here, at + step) - plain(GetParam(), here, at - step)) / (2 * step);
    ASSERT_NEAR(gradient[i], -2 * slope, 1e-3 + 1e-4 * std::abs(slope)) << "feature " << i;
  }
  EXPECT_NEAR(value, expected, 1e-5 * std::abs(expected));
}

TEST_P(EveryLikelihood, IsFoundByItsName) {
  EXPECT_EQ(likelihood_named(name_of(GetParam())).value_or_throw(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Likelihood, EveryLikelihood,
                         testing::Values(Likelihood::kBernoulli, Likelihood::kGaussian, Likelihood::kLogitGaussian));

TEST(Likelihood, NamesTheChoicesWhenAskedForAnother) {
  const auto result = likelihood_named("poisson");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("logit-gaussian"), std::string::npos);
}

}  // namespace
}  // namespace sotto
