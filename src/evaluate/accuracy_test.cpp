#include "sotto/evaluate/accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace sotto {
namespace {

// How often intervals of `make` cover p, summed over all outcomes of `count` trials.
template <typename Make>
double coverage(double p, std::size_t count, Make make) {
  const double n = static_cast<double>(count);
  double covered = 0;
  for (std::size_t k = 0; k <= count; ++k) {
    const double x = static_cast<double>(k);
    const double log_pmf =
        std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) + x * std::log(p) + (n - x) * std::log1p(-p);
    const Proportion interval = make(k, count);
    if (interval.low <= p && p <= interval.high) covered += std::exp(log_pmf);
  }
  return covered;
}

double mean_coverage(const std::function<Proportion(std::size_t, std::size_t)>& make) {
  double sum = 0;
  for (int i = 1; i < 200; ++i) sum += coverage(i / 200.0, 60, make);
  return sum / 199;
}

// Exact, over all outcomes of 60 observations. The familiar interval is the mutant: it covers 92.6 % instead of 95 %.
TEST(WilsonInterval, CoversAsOftenAsItSaysAndTheNormalIntervalDoesNot) {
  const double wilson =
      mean_coverage([](std::size_t k, std::size_t n) { return wilson_interval(k, n, 0.95).value_or_throw(); });
  const double normal = mean_coverage([](std::size_t k, std::size_t n) {
    const double share = static_cast<double>(k) / static_cast<double>(n);
    const double half = 1.959964 * std::sqrt(share * (1 - share) / static_cast<double>(n));
    return Proportion{share, share - half, share + half, n};
  });
  EXPECT_NEAR(wilson, 0.95, 0.01);
  EXPECT_LT(normal, 0.935);
}

// The interval is the set of p whose score test does not reject: its ends are roots of n(share − p)² = z² p(1 − p).
TEST(WilsonInterval, EndsWhereTheScoreTestBeginsToReject) {
  const Proportion interval = wilson_interval(37, 50, 0.99).value_or_throw();
  const double z = 2.5758293035489004;
  for (const double p : {interval.low, interval.high})
    EXPECT_NEAR(50 * (0.74 - p) * (0.74 - p), z * z * p * (1 - p), 1e-9);
  EXPECT_LT(interval.low, 0.74);
  EXPECT_GT(interval.high, 0.74);
  EXPECT_EQ(interval.value, 0.74);
  EXPECT_EQ(interval.count, 50U);
}

TEST(WilsonInterval, StaysWithinZeroAndOneAndIsNeverEmpty) {
  const Proportion none = wilson_interval(0, 10, 0.95).value_or_throw();
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.2775, 1e-4);
  const Proportion all = wilson_interval(10, 10, 0.95).value_or_throw();
  EXPECT_EQ(all.high, 1);
  EXPECT_NEAR(all.low, 0.7225, 1e-4);
}

TEST(WilsonInterval, NamesWhatIsWrong) {
  const auto message = [](const Result<Proportion>& result) { return result ? "" : result.error().message; };
  EXPECT_NE(message(wilson_interval(1, 2, 1.0)).find("confidence = 1.0"), std::string::npos);
  EXPECT_NE(message(wilson_interval(1, 2, std::nan(""))).find("confidence"), std::string::npos);
  EXPECT_NE(message(wilson_interval(0, 0, 0.9)).find("count = 0"), std::string::npos);
  EXPECT_NE(message(wilson_interval(3, 2, 0.9)).find("successes = 3"), std::string::npos);
}

TEST(Accuracy, CountsTheRightPredictions) {
  const std::vector<std::int32_t> labels = {0, 1, 2, 3}, predictions = {0, 1, 2, 0};
  EXPECT_EQ(accuracy(predictions, labels, 0.95).value_or_throw().value, 0.75);
  EXPECT_EQ(correctness(predictions, labels).value_or_throw(), (std::vector<bool>{true, true, true, false}));
}

TEST(Accuracy, WantsAPredictionForEachLabel) {
  const std::vector<std::int32_t> labels = {0, 1, 2}, predictions = {0, 1};
  ASSERT_FALSE(accuracy(predictions, labels, 0.95));
  EXPECT_NE(accuracy(predictions, labels, 0.95).error().message.find("2 predictions for 3 labels"), std::string::npos);
}

TEST(TrialSummary, HasTheSampleDeviation) {
  const TrialSummary summary = summarize_trials(std::vector<double>{1, 2, 4}).value_or_throw();
  EXPECT_DOUBLE_EQ(summary.mean, 7.0 / 3);
  EXPECT_DOUBLE_EQ(summary.sd, std::sqrt(7.0 / 3));  // 1.528; with n in the denominator it would be 1.247
  EXPECT_EQ(summary.trials, 3U);
  EXPECT_EQ(summarize_trials(std::vector<double>{5}).value_or_throw().sd, 0);
  EXPECT_FALSE(summarize_trials(std::vector<double>{}));
}

}  // namespace
}  // namespace sotto
