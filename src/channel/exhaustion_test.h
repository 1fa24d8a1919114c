// For tests of channels: all points, all reports, and what they say about a channel's claim, law and estimate.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "sotto/channel/channel.h"
#include "sotto/kernel/goodness_of_fit_test.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {

using Integers = std::vector<std::int64_t>;

inline Epsilon epsilon_of(std::string_view text) { return Epsilon::parse(text).value_or_throw(); }

// Calls visit(tuple) for every tuple within the ranges, in lexicographic order.
template <typename Visit>
void for_each_tuple(const std::vector<Range>& ranges, Visit visit) {
  Integers tuple;
  for (const Range& range : ranges) tuple.push_back(range.low);
  while (true) {
    visit(tuple);
    std::size_t i = tuple.size();
    while (i > 0 && tuple[i - 1] == ranges[i - 1].high) --i;
    if (i == 0) return;
    ++tuple[i - 1];
    for (; i < tuple.size(); ++i) tuple[i] = ranges[i].low;
  }
}

inline std::vector<Integers> all_points(const Domain& domain) {
  std::vector<Range> box;
  if (const auto* product = std::get_if<Product>(&domain)) {
    for (const Coordinate& coordinate : product->coordinates) box.push_back({0, coordinate.levels - 1});
  } else {
    const auto* l1 = std::get_if<L1Ball>(&domain);
    const std::int64_t resolution = l1 != nullptr ? l1->resolution : std::get<L2Ball>(domain).resolution;
    box.assign(point_length(domain), {-resolution, resolution});
  }
  std::vector<Integers> points;
  for_each_tuple(box, [&](const Integers& point) {
    if (contains(domain, point)) points.push_back(point);
  });
  return points;
}

// What the estimate of a point should be on average: its coordinates, categories one-hot.
inline std::vector<double> truth(const Domain& domain, const Integers& point) {
  std::vector<double> values;
  const auto* product = std::get_if<Product>(&domain);
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (product == nullptr || product->coordinates[i].ordered) {
      values.push_back(static_cast<double>(point[i]));
    } else {
      for (std::int64_t j = 0; j < product->coordinates[i].levels; ++j) values.push_back(j == point[i] ? 1 : 0);
    }
  }
  return values;
}

// The worst over all pairs of points, or over all points, by summing over every report.
struct Exhaustion {
  double log_ratio = 0;     // max |log P(r|x) − log P(r|x')|
  double hockey_stick = 0;  // max Σ_r max(0, P(r|x) − e^ε·P(r|x')), with the claim's ε
  double total_error = 0;   // max |Σ_r P(r|x) − 1|
  double bias = 0;          // max |Σ_r P(r|x)·estimate(r) − x|
};

inline Exhaustion exhaust(const Channel& channel, const Epsilon& epsilon) {
  const auto points = all_points(channel.domain());
  const double factor = std::exp(epsilon.to_double());
  Exhaustion found;
  std::vector<double> total(points.size(), 0.0), excess(points.size() * points.size(), 0.0);
  std::vector<std::vector<double>> mean(points.size(), std::vector<double>(channel.estimate_length(), 0.0));
  std::vector<double> log_p(points.size()), p(points.size()), estimate(channel.estimate_length());
  for_each_tuple(channel.report_ranges(), [&](const Integers& report) {
    if (!channel.is_possible(report)) return;
    channel.estimate(report, estimate);
    for (std::size_t i = 0; i < points.size(); ++i) {
      log_p[i] = channel.log_likelihood(report, points[i]);
      p[i] = std::exp(log_p[i]);
      total[i] += p[i];
      for (std::size_t j = 0; j < estimate.size(); ++j) mean[i][j] += p[i] * estimate[j];
    }
    const auto [least, most] = std::minmax_element(log_p.begin(), log_p.end());
    if (*most > -std::numeric_limits<double>::infinity()) found.log_ratio = std::max(found.log_ratio, *most - *least);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j < points.size(); ++j)
        excess[i * points.size() + j] += std::max(0.0, p[i] - factor * p[j]);
  });
  found.hockey_stick = *std::max_element(excess.begin(), excess.end());
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.total_error = std::max(found.total_error, std::abs(total[i] - 1));
    const auto expected = truth(channel.domain(), points[i]);
    for (std::size_t j = 0; j < expected.size(); ++j)
      found.bias = std::max(found.bias, std::abs(mean[i][j] - expected[j]));
  }
  return found;
}

// Rounding in the likelihoods, which are doubles; the kernel draws without any.
inline constexpr double kRounding = 1e-12;

// The law sums to one, keeps the claimed ε between any two points, and its estimate is unbiased.
inline void expect_pure_claim_holds(const Channel& channel, bool tight) {
  const Epsilon& epsilon = channel.claim().epsilon;
  ASSERT_TRUE(channel.claim().delta.is_zero());
  ASSERT_EQ(channel.claim().exactness, Exactness::kExact);
  const Exhaustion found = exhaust(channel, epsilon);
  EXPECT_LE(found.log_ratio, epsilon.to_double() + kRounding);
  if (tight) {
    EXPECT_GE(found.log_ratio, epsilon.to_double() - kRounding);
  }
  EXPECT_LE(found.hockey_stick, kRounding);
  EXPECT_LE(found.total_error, 1e-10);
  EXPECT_LE(found.bias, 1e-9);
}

// How well reports drawn about `point` fit the likelihood of `judge`, over all reports (rare ones are pooled).
inline double fit_of_sampler(const Channel& channel, const Integers& point, std::uint64_t samples,
                             const Channel& judge) {
  SeededEntropy entropy(99);
  std::vector<double> probabilities;
  for_each_tuple(channel.report_ranges(), [&](const Integers& report) {
    probabilities.push_back(std::exp(judge.log_likelihood(report, point)));
  });
  std::vector<std::uint64_t> counts(probabilities.size(), 0);
  Integers report(channel.report_length());
  for (std::uint64_t i = 0; i < samples; ++i) {
    channel.sample(point, entropy, report);
    std::size_t index = 0;
    for (std::size_t j = 0; j < report.size(); ++j) {
      const Range range = channel.report_ranges()[j];
      index = index * static_cast<std::size_t>(range.high - range.low + 1) +
              static_cast<std::size_t>(report[j] - range.low);
    }
    ++counts.at(index);
  }
  return p_value(counts, probabilities);
}

inline double fit_of_sampler(const Channel& channel, const Integers& point, std::uint64_t samples) {
  return fit_of_sampler(channel, point, samples, channel);
}

// A channel with any law at all, for mutants.
class PmfChannel final : public Channel {
 public:
  using Pmf = std::function<double(Report, Point)>;
  PmfChannel(Domain domain, const Epsilon& epsilon, std::vector<Range> ranges, Pmf pmf)
      : Channel(std::move(domain), {epsilon, Delta::zero(), Exactness::kExact, "none"}, std::move(ranges)),
        pmf_(std::move(pmf)) {}

 private:
  void draw(Point, Entropy&, std::span<std::int64_t>) const override {}
  double log_pmf(Report report, Point point) const override { return std::log(pmf_(report, point)); }
  void unbias(Report, std::span<double> point) const override { std::fill(point.begin(), point.end(), 0.0); }

  Pmf pmf_;
};

}  // namespace sotto
