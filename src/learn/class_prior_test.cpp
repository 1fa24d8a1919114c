#include "sotto/learn/class_prior.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kClasses = 3;
const std::vector<double> kTruth{0.5, 0.3, 0.2};

// Not symmetric, so that an inverse of the wrong matrix shows.
LabelNoise lopsided_noise() {
  return {kClasses,
          {0.7F, 0.2F, 0.1F,  // p(noisy 0 | 0), p(noisy 0 | 1), …
           0.1F, 0.6F, 0.1F,  //
           0.2F, 0.2F, 0.8F}};
}

LabelNoise transposed(const LabelNoise& noise) {
  LabelNoise result = noise;
  for (std::size_t i = 0; i < kClasses; ++i)
    for (std::size_t j = 0; j < kClasses; ++j)
      result.probability[i * kClasses + j] = noise.probability[j * kClasses + i];
  return result;
}

template <class Weight>
std::size_t draw_class(SeededEntropy& entropy, Weight weight) {
  double left = static_cast<double>(draw_uniform(entropy));
  std::size_t y = 0;
  for (; y + 1 < kClasses; ++y)
    if ((left -= weight(y)) < 0) break;
  return y;
}

std::vector<std::int32_t> draw_noisy_labels(std::size_t count, SeededEntropy& entropy) {
  const LabelNoise noise = lopsided_noise();
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t label = draw_class(entropy, [](std::size_t y) { return kTruth[y]; });
    labels.push_back(static_cast<std::int32_t>(draw_class(
        entropy, [&](std::size_t y) { return static_cast<double>(noise.probability[y * kClasses + label]); })));
  }
  return labels;
}

constexpr std::size_t kTrials = 400, kLabels = 2000;

struct Spread {
  double worst_z = 0;                      // |mean of the estimates − truth| in standard errors of that mean
  double least_ratio = 0, most_ratio = 0;  // variance over trials / the mean of standard_error²
};

Spread repeat(const LabelNoise& assumed) {
  SeededEntropy entropy(11);
  std::vector<double> sum(kClasses), squares(kClasses), claimed(kClasses);
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    const ClassPrior prior = estimate_class_prior(draw_noisy_labels(kLabels, entropy), assumed);
    for (std::size_t y = 0; y < kClasses; ++y) {
      const double error = prior.frequency[y] - kTruth[y];
      sum[y] += error;
      squares[y] += error * error;
      claimed[y] += prior.standard_error[y] * prior.standard_error[y];
    }
  }
  Spread spread{0, std::numeric_limits<double>::max(), 0};
  for (std::size_t y = 0; y < kClasses; ++y) {
    spread.worst_z = std::max(spread.worst_z, std::abs(sum[y]) / std::sqrt(claimed[y]));
    spread.least_ratio = std::min(spread.least_ratio, squares[y] / claimed[y]);
    spread.most_ratio = std::max(spread.most_ratio, squares[y] / claimed[y]);
  }
  return spread;
}

// α = 1e-6 over three classes: |z| ≤ 5.2. With 400 trials of 2000 labels, a bias of about 0.005 is found.
constexpr double kLargestZ = 5.2;

TEST(ClassPrior, IsUnbiasedAndKnowsItsStandardError) {
  const Spread spread = repeat(lopsided_noise());
  EXPECT_LE(spread.worst_z, kLargestZ);
  // A variance ratio over 400 trials has a standard deviation of √(2/400) = 0.071: five of them either way.
  EXPECT_GE(spread.least_ratio, 0.65);
  EXPECT_LE(spread.most_ratio, 1.35);
}

TEST(ClassPrior, MutantWithTheInverseOfTheTransposeIsRejected) {
  EXPECT_GT(repeat(transposed(lopsided_noise())).worst_z, 2 * kLargestZ);
}

TEST(ClassPrior, MutantThatInvertsNothingIsRejected) {
  EXPECT_GT(repeat(no_label_noise(kClasses)).worst_z, 2 * kLargestZ);
}

TEST(ClassPrior, CountsLabelsThatHaveNoNoise) {
  const std::vector<std::int32_t> labels{0, 2, 2, 0, 2};
  const ClassPrior prior = estimate_class_prior(labels, no_label_noise(kClasses));
  EXPECT_NEAR(prior.frequency[0], 0.4, 1e-12);
  EXPECT_NEAR(prior.frequency[1], 0, 1e-12);
  EXPECT_NEAR(prior.frequency[2], 0.6, 1e-12);
  EXPECT_NEAR(prior.standard_error[0], std::sqrt(0.4 * 0.6 / 5), 1e-12);
}

TEST(ClassPrior, StaysOnTheSimplexWhenTheInverseLeavesIt) {
  const std::vector<std::int32_t> labels(20, 1);  // more often than any prior could give
  const ClassPrior prior = estimate_class_prior(labels, lopsided_noise());
  EXPECT_NEAR(std::accumulate(prior.frequency.begin(), prior.frequency.end(), 0.0), 1, 1e-12);
  for (const double frequency : prior.frequency) EXPECT_GE(frequency, 0);
}

// The nearest point has some set of positive coordinates: try them all.
std::vector<double> project_by_brute_force(const std::vector<double>& values) {
  std::vector<double> best;
  double least = std::numeric_limits<double>::max();
  for (std::size_t set = 1; set < std::size_t{1} << values.size(); ++set) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (set >> i & 1) sum += values[i], size += 1;
    std::vector<double> candidate(values.size(), 0);
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (set >> i & 1) candidate[i] = values[i] - (sum - 1) / size;
      distance += std::pow(candidate[i] - values[i], 2);
    }
    const bool feasible = *std::min_element(candidate.begin(), candidate.end()) >= 0;
    if (feasible && distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

TEST(ProjectToSimplex, FindsTheNearestPoint) {
  SeededEntropy entropy(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> values(1 + static_cast<std::size_t>(round) % 6);
    for (double& value : values) value = 3 * static_cast<double>(draw_uniform(entropy)) - 1.5;
    const std::vector<double> expected = project_by_brute_force(values);
    project_to_simplex(values);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-12);
  }
}

TEST(ProjectToSimplex, LeavesAPointOfTheSimplexWhereItIs) {
  std::vector<double> values{0.25, 0, 0.75};
  project_to_simplex(values);
  EXPECT_EQ(values, (std::vector<double>{0.25, 0, 0.75}));
}

}  // namespace
}  // namespace sotto
