#include "sotto/privacy/gaussian_accounting.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "sotto/kernel/discrete_gaussian.h"

namespace sotto {
namespace {

// 300 bits: the reference against which double arithmetic is measured. Also for results below the smallest double.
class Real {
 public:
  Real() { mpfr_init2(value_, 300); }
  Real(double value) : Real() { mpfr_set_d(value_, value, MPFR_RNDN); }  // NOLINT(google-explicit-constructor)
  explicit Real(const Rational& value) : Real() {
    mpfr_set_ui(value_, value.numerator(), MPFR_RNDN);
    mpfr_div_ui(value_, value_, value.denominator(), MPFR_RNDN);
  }
  Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  friend Real operator+(Real a, const Real& b) { return mpfr_add(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend Real operator-(Real a, const Real& b) { return mpfr_sub(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend Real operator*(Real a, const Real& b) { return mpfr_mul(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend Real operator/(Real a, const Real& b) { return mpfr_div(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend bool operator<=(const Real& a, const Real& b) { return mpfr_lessequal_p(a.value_, b.value_) != 0; }
  friend Real exp(Real a) { return mpfr_exp(a.value_, a.value_, MPFR_RNDN), a; }
  friend Real log(Real a) { return mpfr_log(a.value_, a.value_, MPFR_RNDN), a; }
  friend Real sqrt(Real a) { return mpfr_sqrt(a.value_, a.value_, MPFR_RNDN), a; }
  friend Real erfc(Real a) { return mpfr_erfc(a.value_, a.value_, MPFR_RNDN), a; }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

Real normal_cdf(const Real& x) { return erfc(Real(0) - x / sqrt(Real(2))) / 2; }

// [BW18, Thm. 8], as printed.
Real exact_gaussian_delta(const Real& epsilon, const Real& r) {
  return normal_cdf(r / 2 - epsilon / r) - exp(epsilon) * normal_cdf(Real(0) - r / 2 - epsilon / r);
}

// [CKS20, Cor. 13], as printed, at its best α, which is sought on the derivative of the logarithm.
Real exact_zcdp_delta(const Real& rho, const Real& epsilon) {
  Real low(1), high = (epsilon + 1) / rho + 2;
  for (int i = 0; i < 280; ++i) {
    const Real alpha = (low + high) / 2;
    const Real slope = (Real(2) * alpha - 1) * rho - epsilon + log(Real(1) - Real(1) / alpha);
    (slope < Real(0) ? low : high) = alpha;
  }
  const Real alpha = high;
  return exp((alpha - 1) * (alpha * rho - epsilon)) / (alpha - 1) * exp(alpha * log(Real(1) - Real(1) / alpha));
}

struct Setting {
  Epsilon epsilon;
  Delta delta;
  std::string text;
};

const std::array<const char*, 12> kEpsilons{"0.001", "0.01", "0.03", "0.1", "1/3", "1",
                                            "2",     "5",    "10",   "20",  "50",  "100"};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const char* epsilon : kEpsilons)
    for (const char* delta : {"1e-12", "1e-10", "1e-8", "1e-5", "1e-3", "0.01", "0.1"})
      all.push_back(
          {*Epsilon::parse(epsilon), *Delta::parse(delta), std::string("epsilon ") + epsilon + ", delta " + delta});
  return all;
}

constexpr double kDeltaSlack = 1e-8;  // what the header promises
constexpr double kNoiseSlack = 1e-9;

TEST(GaussianAccounting, DeltaIsSafeAndTight) {
  double worst = 0;
  for (const Setting& s : settings()) {
    const double e = s.epsilon.to_double();
    const double calibrated = 1 / *gaussian_sigma(1, s.epsilon, s.delta);
    for (const double factor : {0.8, 0.97, 1.0, 1.03, 1.25, 2.0}) {
      const Real exact = exact_gaussian_delta(e, factor * calibrated);
      const double ours = gaussian_delta(e, factor * calibrated);
      if (exact < Real(1e-14)) continue;  // below any δ that people may ask for
      ASSERT_LE(exact, Real(ours)) << s.text << ", factor " << factor;
      worst = std::max(worst, (Real(ours) / exact - 1).to_double());
    }
  }
  EXPECT_LT(worst, kDeltaSlack);
  RecordProperty("worst_relative_slack", std::to_string(worst * 1e12) + "e-12");
}

TEST(GaussianAccounting, DeltaStaysAnUpperBoundFarOutside) {
  for (const double e : {0.0, 1e-9, 1e-4, 1.0, 300.0, 1e4})
    for (const double r : {1e-6, 1e-3, 0.1, 1.0, 10.0, 60.0, 61.0, 1000.0}) {
      const double ours = gaussian_delta(e, r);
      ASSERT_LE(exact_gaussian_delta(e, r), Real(ours)) << e << ", " << r;
      ASSERT_LE(ours, 1);
    }
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(gaussian_delta(1, bad), 1);
    EXPECT_EQ(gaussian_delta(std::min(bad, -1.0), 1), 1);
  }
  EXPECT_EQ(gaussian_delta(std::nan(""), 1), 1);
  EXPECT_EQ(gaussian_delta(1, 0), 1);
}

TEST(GaussianAccounting, SigmaIsSafeAndSmallerOnesAreNot) {
  for (const double sensitivity : {1.0, 0.37, 131072.0})
    for (const Setting& s : settings()) {
      const auto sigma = gaussian_sigma(sensitivity, s.epsilon, s.delta);
      ASSERT_TRUE(sigma) << s.text;
      const Real e(s.epsilon.value()), d(s.delta.value());
      EXPECT_LE(exact_gaussian_delta(e, Real(sensitivity) / Real(*sigma)), d) << s.text;
      EXPECT_LT(d, exact_gaussian_delta(e, Real(sensitivity) / (Real(*sigma) * Real(1 - kNoiseSlack)))) << s.text;
    }
}

TEST(GaussianAccounting, EpsilonIsSafeAndSmallerOnesAreNot) {
  for (const Setting& s : settings()) {
    const double sigma = *gaussian_sigma(1, s.epsilon, s.delta) * 1.01;
    const auto epsilon = gaussian_epsilon(1, sigma, s.delta);
    ASSERT_TRUE(epsilon) << s.text;
    const Real r = Real(1) / Real(sigma), d(s.delta.value());
    EXPECT_LE(exact_gaussian_delta(*epsilon, r), d) << s.text;
    if (*epsilon < 1e-6) continue;  // δ alone covers this noise, and any ε will do
    EXPECT_LT(d, exact_gaussian_delta(Real(*epsilon) * Real(1 - kNoiseSlack), r)) << s.text;
  }
}

TEST(GaussianAccounting, InversesNameWhatTheyRefuse) {
  const Epsilon one = *Epsilon::parse("1");
  const Delta small = *Delta::parse("1e-5");
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_NE(gaussian_sigma(bad, one, small).error().message.find("sensitivity"), std::string::npos);
    EXPECT_NE(gaussian_epsilon(bad, 1, small).error().message.find("sensitivity"), std::string::npos);
    EXPECT_NE(gaussian_epsilon(1, bad, small).error().message.find("sigma"), std::string::npos);
  }
  EXPECT_NE(gaussian_epsilon(1, -1e-9, small).error().message.find("-1e-09"), std::string::npos);
  for (const auto& result : {gaussian_sigma(1, one, Delta::zero()), gaussian_epsilon(1, 1, Delta::zero())})
    EXPECT_NE(result.error().message.find("delta"), std::string::npos);
  EXPECT_FALSE(gaussian_epsilon(1, 1e-6, small));  // ε = 5e11 is not worth a number
}

TEST(ZeroConcentrated, DeltaIsSafeAndTight) {
  double worst = 0;
  int compared = 0;
  for (const char* epsilon : kEpsilons)
    for (const double rho : {1e-9, 1e-7, 1e-5, 1e-3, 0.02, 0.1, 0.5, 2.0, 8.0, 30.0, 80.0, 150.0}) {
      const double e = Epsilon::parse(epsilon)->to_double();
      const Real exact = exact_zcdp_delta(rho, e);
      const double ours = zcdp_delta(rho, e);
      if (exact < Real(1e-14) || ours == 1) continue;
      ASSERT_LE(exact, Real(ours)) << epsilon << ", rho " << rho;
      worst = std::max(worst, (Real(ours) / exact - 1).to_double());
      ++compared;
    }
  EXPECT_LT(worst, 1e-10);
  EXPECT_GT(compared, 50);
  RecordProperty("worst_relative_slack", std::to_string(worst * 1e12) + "e-12");
}

TEST(ZeroConcentrated, DeltaAnswersOneToNonsense) {
  for (const double bad : {-1.0, std::nan(""), 0.0}) EXPECT_EQ(zcdp_delta(bad, 1), 1);
  EXPECT_EQ(zcdp_delta(1, -1), 1);
  EXPECT_EQ(zcdp_delta(HUGE_VAL, 1), 1);
  EXPECT_EQ(zcdp_delta(1, std::nan("")), 1);
  EXPECT_EQ(zcdp_delta(1e6, 1), 1);
}

TEST(DiscreteGaussianVariance, IsTheSmallestThatTheConversionCertifies) {
  for (const std::uint64_t squared : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 20})
    for (const Setting& s : settings()) {
      const auto variance = discrete_gaussian_variance(squared, s.epsilon, s.delta);
      ASSERT_TRUE(variance) << s.text << ": " << variance.error().message;
      const Real e(s.epsilon.value()), d(s.delta.value());
      const auto certified = [&](double v) {
        return exact_zcdp_delta(Real(static_cast<double>(squared)) / (2 * v), e);
      };
      const auto v = static_cast<double>(*variance);
      EXPECT_TRUE(certified(v) < d) << s.text << ", " << squared;
      const double smaller = std::min(v - 1, v * (1 - kDeltaSlack));
      EXPECT_TRUE(smaller < 1 || d < certified(smaller)) << s.text << ", " << squared;
    }
}

TEST(DiscreteGaussianVariance, IsOneThatTheSamplerAccepts) {
  const auto largest =
      discrete_gaussian_variance(std::uint64_t{1} << 34, *Epsilon::parse("0.02"), *Delta::parse("1e-5"));
  ASSERT_TRUE(largest);
  EXPECT_GT(*largest, std::uint64_t{1} << 45);
  const auto sampler = DiscreteGaussian::make(*largest, 1);
  ASSERT_TRUE(sampler);
  EXPECT_GE(static_cast<double>(sampler->limit()), 2048 * std::sqrt(static_cast<double>(*largest)));
}

TEST(DiscreteGaussianVariance, NamesWhatItRefuses) {
  const Epsilon one = *Epsilon::parse("1");
  const Delta small = *Delta::parse("1e-5");
  EXPECT_NE(discrete_gaussian_variance(0, one, small).error().message.find("sensitivity"), std::string::npos);
  EXPECT_NE(discrete_gaussian_variance(1, one, Delta::zero()).error().message.find("delta"), std::string::npos);
  EXPECT_NE(discrete_gaussian_variance(1, *Epsilon::make(*Rational::make(2000, 1)), small).error().message.find("2000"),
            std::string::npos);
  const auto too_fine = discrete_gaussian_variance(std::uint64_t{1} << 60, one, small);
  EXPECT_NE(too_fine.error().message.find("resolution"), std::string::npos);
}

// --- Exhaustive: the true δ of integer noise, by summing over every outcome that matters.

using Shift = std::vector<int>;

// Σ over x of max(0, P(x) − e^ε·P(x − shift)) for independent discrete Gaussians. Beyond 14σ lies less than 1e−40.
class TrueDelta {
 public:
  TrueDelta(double variance, double epsilon) : epsilon_(epsilon) {
    reach_ = static_cast<int>(std::ceil(14 * std::sqrt(variance))) + 1;
    long double sum = 0;
    for (int x = -2 * reach_; x <= 2 * reach_; ++x)
      sum += weight_[x] = std::exp(-static_cast<long double>(x) * x / (2 * variance));
    for (auto& [x, weight] : weight_) weight /= sum;
  }

  long double operator()(const Shift& shift) const { return sum(shift, 0, 1, std::exp(epsilon_)); }

 private:
  long double sum(const Shift& shift, std::size_t i, long double here, long double there) const {
    if (i == shift.size()) return std::max(0.0L, here - there);
    long double total = 0;
    for (int x = -reach_; x <= reach_; ++x) {
      const auto moved = weight_.find(x - shift[i]);
      total += sum(shift, i + 1, here * weight_.at(x), moved == weight_.end() ? 0 : there * moved->second);
    }
    return total;
  }

  long double epsilon_;
  int reach_ = 0;
  std::map<int, long double> weight_;
};

std::vector<Shift> shifts_within(int squared) {
  std::vector<Shift> all;
  for (int x = 0; x * x <= squared; ++x) {
    all.push_back({x});
    for (int y = 0; y <= x && x * x + y * y <= squared; ++y) {
      all.push_back({x, y});
      all.push_back({y, -x});
    }
  }
  return all;
}

struct Exhaustive {
  int squared_sensitivity;
  const char* epsilon;
  const char* delta;
};

const std::array<Exhaustive, 12> kExhaustive{{{1, "1", "0.1"},
                                              {1, "3", "1e-3"},
                                              {1, "5", "1e-6"},
                                              {2, "2", "1e-2"},
                                              {4, "2", "0.1"},
                                              {4, "4", "1e-4"},
                                              {5, "3", "1e-2"},
                                              {8, "5", "1e-3"},
                                              {9, "10", "1e-6"},
                                              {13, "6", "1e-2"},
                                              {25, "10", "1e-3"},
                                              {25, "20", "1e-8"}}};

long double worst_true_delta(const Exhaustive& c, double variance) {
  const TrueDelta true_delta(variance, Epsilon::parse(c.epsilon)->to_double());
  long double worst = 0;
  for (const Shift& shift : shifts_within(c.squared_sensitivity)) worst = std::max(worst, true_delta(shift));
  return worst;
}

TEST(DiscreteGaussianVariance, CoversTheTrueDeltaInEveryDirection) {
  for (const Exhaustive& c : kExhaustive) {
    const Delta delta = *Delta::parse(c.delta);
    const auto variance = discrete_gaussian_variance(static_cast<std::uint64_t>(c.squared_sensitivity),
                                                     *Epsilon::parse(c.epsilon), delta);
    ASSERT_TRUE(variance);
    EXPECT_LE(worst_true_delta(c, static_cast<double>(*variance)), delta.to_double())
        << c.squared_sensitivity << ", " << c.epsilon << ", " << c.delta;
  }
}

// The mutant twin: noise for the radius instead of the diameter, a quarter of the variance.
TEST(DiscreteGaussianVariance, WouldNotCoverItForTheRadius) {
  for (const Exhaustive& c : kExhaustive) {
    const Delta delta = *Delta::parse(c.delta);
    const auto variance = discrete_gaussian_variance(static_cast<std::uint64_t>(c.squared_sensitivity),
                                                     *Epsilon::parse(c.epsilon), delta);
    EXPECT_GT(worst_true_delta(c, static_cast<double>(*variance) / 4), delta.to_double())
        << c.squared_sensitivity << ", " << c.epsilon << ", " << c.delta;
  }
}

TEST(DiscreteGaussianVariance, MayNotComeFromTheFormulaForRealNoise) {
  // σ = sensitivity = ε = 1: real noise gives δ = 0.1269, integer noise truly 0.1414, the conversion certifies 0.2468.
  const auto truth = static_cast<double>(TrueDelta(1, 1)({1}));
  EXPECT_NEAR(gaussian_delta(1, 1), 0.1269, 1e-4);
  EXPECT_NEAR(truth, 0.1414, 1e-4);
  EXPECT_NEAR(zcdp_delta(0.5, 1), 0.2468, 1e-4);
  // And the direction matters, at one and the same length: (5, 0) is worse than (3, 4).
  const TrueDelta plane(10, 2);
  EXPECT_GT(plane({5, 0}), 1.01L * plane({3, 4}));
  EXPECT_GT(plane({5, 0}), gaussian_delta(2, std::sqrt(2.5)));
}

}  // namespace
}  // namespace sotto
