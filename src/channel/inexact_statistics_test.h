// The two statistical tests that the tests of the inexact channels share. Each returns the p-value of its null
// hypothesis.
#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sotto::inexact_statistics {

inline constexpr double kAlpha = 1e-6;

// That counts come from a law with these probabilities. What the bins leave over, and bins expecting less than 10, are
// one bin.
inline double p_value_of_counts(const std::vector<double>& counts, const std::vector<double>& probabilities,
                                std::size_t samples) {
  const auto n = static_cast<double>(samples);
  double rest_count = n;
  double rest_expected = n;
  double statistic = 0;
  int bins = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n * probabilities[i];
    if (expected < 10) continue;
    statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    rest_count -= counts[i];
    rest_expected -= expected;
    ++bins;
  }
  if (rest_expected >= 10) {
    statistic += (rest_count - rest_expected) * (rest_count - rest_expected) / rest_expected;
    ++bins;
  }
  return cdf(complement(boost::math::chi_squared(bins - 1), statistic));
}

// A running mean and its standard error.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    squares_ += value * value;
    ++count_;
  }
  double mean() const { return sum_ / count_; }
  double standard_error() const { return std::sqrt((squares_ / count_ - mean() * mean()) / count_); }

  // That the values have this expectation, two-sided.
  double p_value_of(double expectation) const {
    const double z = std::abs(mean() - expectation) / standard_error();
    return 2 * cdf(complement(boost::math::normal(), z));
  }

 private:
  double sum_ = 0, squares_ = 0, count_ = 0;
};

}  // namespace sotto::inexact_statistics
