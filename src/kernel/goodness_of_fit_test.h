// For statistical tests: how well draws fit a law. They run on seeded entropy, so a passing test passes for ever; the
// level is that of the day it was written. A test accepts at p > kAlpha, and its mutants must fall below kRejected.
#pragma once

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cstdint>
#include <vector>

namespace sotto {

inline constexpr double kAlpha = 1e-6;
inline constexpr double kRejected = 1e-12;

// Pearson's test. Cells that expect fewer than 10 draws are pooled.
inline double p_value(const std::vector<std::uint64_t>& counts, const std::vector<double>& probabilities) {
  double samples = 0;
  for (const std::uint64_t count : counts) samples += static_cast<double>(count);
  double statistic = 0, cells = 0, pooled_count = 0, pooled_expected = 0;
  const auto add = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    cells += 1;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = samples * probabilities[i];
    if (expected >= 10) {
      add(static_cast<double>(counts[i]), expected);
    } else {
      pooled_count += static_cast<double>(counts[i]);
      pooled_expected += expected;
    }
  }
  if (pooled_expected >= 10) add(pooled_count, pooled_expected);
  // Too rare to have a cell of its own, the pool may still hold more draws than it ever should.
  if (pooled_expected < 10 && pooled_count > 60) return 0;
  return boost::math::gamma_q((cells - 1) / 2, statistic / 2);  // P(χ² ≥ statistic)
}

// The fit of `samples` integers from draw() to pmf(x), with a cell for each x in lowest … highest and one for the rest.
template <typename Draw, typename Pmf>
double fit(std::uint64_t samples, std::int64_t lowest, std::int64_t highest, Draw draw, Pmf pmf) {
  const auto cells = static_cast<std::size_t>(highest - lowest + 1);
  std::vector<std::uint64_t> counts(cells + 1, 0);
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::int64_t x = draw();
    ++counts[lowest <= x && x <= highest ? static_cast<std::size_t>(x - lowest) : cells];
  }
  std::vector<double> probabilities(cells + 1, 0.0);
  double rest = 1;
  for (std::size_t i = 0; i < cells; ++i) {
    probabilities[i] = pmf(lowest + static_cast<std::int64_t>(i));
    rest -= probabilities[i];
  }
  probabilities[cells] = std::max(rest, 0.0);
  return p_value(counts, probabilities);
}

}  // namespace sotto
