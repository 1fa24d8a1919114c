// Tables learnt from synthetic evidence whose truth is known. Seeds are fixed; the tolerances are several standard
// errors of the counts behind them.
#include "sotto/learn/label_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kCodes = 4, kClasses = 3, kReports = 20'000;

std::size_t draw_from(std::span<const float> probabilities, SeededEntropy& entropy) {
  float left = draw_uniform(entropy);
  for (std::size_t i = 0; i + 1 < probabilities.size(); ++i)
    if ((left -= probabilities[i]) < 0) return i;
  return probabilities.size() - 1;
}

struct World {
  std::vector<float> code_shares;
  LabelTable table;

  std::vector<double> class_shares() const {
    std::vector<double> shares(kClasses, 0);
    for (std::size_t s = 0; s < table.probability.size(); ++s)
      shares[s % kClasses] += static_cast<double>(code_shares[s / kClasses] * table.probability[s]);
    return shares;
  }

  // What randomised response over all symbols says, with e^epsilon as the weight of the truth.
  Evidence reports(double epsilon, std::uint64_t seed) const {
    SeededEntropy entropy(seed);
    const auto other = static_cast<float>(std::exp(-epsilon));
    const float truth = 1 / (1 + other * (kCodes * kClasses - 1));
    Evidence evidence{kCodes, kClasses, std::vector<float>(kReports * kCodes * kClasses, other)};
    for (std::size_t n = 0; n < kReports; ++n) {
      const std::size_t code = draw_from(code_shares, entropy), label = draw_from(table.of(code), entropy);
      std::size_t symbol = code * kClasses + label;
      if (draw_uniform(entropy) > truth)
        symbol = (symbol + 1 + static_cast<std::size_t>(draw_uniform(entropy) * (kCodes * kClasses - 1))) %
                 (kCodes * kClasses);
      evidence.values[n * kCodes * kClasses + symbol] = 1;
    }
    return evidence;
  }
};

World mixed_world() {
  return {{0.1F, 0.2F, 0.3F, 0.4F},
          {kCodes, kClasses, {0.8F, 0.1F, 0.1F, 0.2F, 0.2F, 0.6F, 0.5F, 0.5F, 0.0F, 0.1F, 0.7F, 0.2F}}};
}
World pure_world() { return {{0.1F, 0.2F, 0.3F, 0.4F}, {kCodes, kClasses, {1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0}}}; }
World world_of_codes_that_say_nothing() {
  return {{0.1F, 0.2F, 0.3F, 0.4F},
          {kCodes, kClasses, {0.6F, 0.3F, 0.1F, 0.6F, 0.3F, 0.1F, 0.6F, 0.3F, 0.1F, 0.6F, 0.3F, 0.1F}}};
}

double mean_log_likelihood(const Evidence& evidence, std::span<const float> code_shares, const LabelTable& table) {
  std::vector<float> joint = table.probability;
  for (std::size_t s = 0; s < joint.size(); ++s) joint[s] *= code_shares[s / table.classes];
  return weigh_symbols(evidence, joint).mean_log_likelihood;
}

LabelTable uniform_table() { return {kCodes, kClasses, std::vector<float>(kCodes * kClasses, 1.0F / kClasses)}; }

LabelTableOptions plain(std::size_t rounds) { return {.rounds = rounds, .pseudo_counts = 0, .sharpening = 0}; }

void expect_rows_sum_to_one(const LabelTable& table) {
  for (std::size_t code = 0; code < table.codes; ++code) {
    float sum = 0;
    for (const float value : table.of(code)) {
      EXPECT_GE(value, 0);
      sum += value;
    }
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

TEST(LabelTable, NeverBecomesLessLikelyWithMoreRounds) {
  for (const World& world : {mixed_world(), pure_world()})
    for (const double epsilon : {0.5, 3.0}) {
      const Evidence evidence = world.reports(epsilon, 1);
      double before = mean_log_likelihood(evidence, world.code_shares, uniform_table());
      const double start = before;
      LabelTableOptions options = plain(0);
      options.balance = false;  // expectation-maximisation and nothing else
      for (const std::size_t rounds : {1, 2, 3, 5, 8, 13, 21, 34}) {
        options.rounds = rounds;
        const auto table = learn_label_table(evidence, {world.code_shares}, world.class_shares(), options);
        const double now = mean_log_likelihood(evidence, world.code_shares, table);
        EXPECT_GE(now, before - 1e-6) << rounds << " rounds";  // sums of 20,000 floats
        before = now;
      }
      EXPECT_GT(before, start + 1e-4);
      // With much noise the best table takes more rounds than these; with little it is at least as good as the truth.
      const double of_the_truth = mean_log_likelihood(evidence, world.code_shares, world.table);
      EXPECT_TRUE(epsilon < 1 || before >= of_the_truth - 1e-3) << before << " against " << of_the_truth;
    }
}

TEST(LabelTable, RecoversTheTruthFromPlentyOfReports) {
  for (const World& world : {mixed_world(), pure_world()}) {
    const Evidence evidence = world.reports(4, 2);
    const auto table = learn_label_table(evidence, {world.code_shares}, world.class_shares(), plain(80));
    expect_rows_sum_to_one(table);
    // The rarest code has 2,000 reports, of which five in six are true: a standard error of about 0.02.
    for (std::size_t s = 0; s < table.probability.size(); ++s)
      EXPECT_NEAR(table.probability[s], world.table.probability[s], 0.07) << "symbol " << s;
  }
}

TEST(LabelTable, StaysAtTheSharesOfTheClassesWhenReportsSayNothing) {
  const World world = mixed_world();
  const Evidence nothing{kCodes, kClasses, std::vector<float>(500 * kCodes * kClasses, 1)};
  const auto table = learn_label_table(nothing, {world.code_shares}, world.class_shares(),
                                       {.rounds = 80, .pseudo_counts = 3, .sharpening = 0});
  for (std::size_t code = 0; code < kCodes; ++code)
    for (std::size_t y = 0; y < kClasses; ++y) EXPECT_NEAR(table.of(code)[y], world.class_shares()[y], 0.01);
}

TEST(LabelTable, SharpeningDecidesForTheRightLabelsAndKeepsTheSharesOfTheClasses) {
  const World world = pure_world();
  const Evidence evidence = world.reports(1, 3);
  const auto shares = world.class_shares();
  const LabelTableOptions options;
  LabelTableOptions blunt = options;
  blunt.sharpening = 0;
  const auto before = learn_label_table(evidence, {world.code_shares}, shares, blunt);
  const auto after = learn_label_table(evidence, {world.code_shares}, shares, options);
  expect_rows_sum_to_one(after);
  for (std::size_t code = 0; code < kCodes; ++code) {
    const auto right = world.table.of(code);
    const auto label = static_cast<std::size_t>(std::max_element(right.begin(), right.end()) - right.begin());
    EXPECT_GT(after.of(code)[label], 0.95) << "code " << code;
    EXPECT_GE(after.of(code)[label], before.of(code)[label] - 1e-3F);
  }
  std::vector<double> masses(kClasses, 0);
  for (std::size_t s = 0; s < after.probability.size(); ++s)
    masses[s % kClasses] += static_cast<double>(world.code_shares[s / kClasses] * after.probability[s]);
  for (std::size_t y = 0; y < kClasses; ++y) EXPECT_NEAR(masses[y], shares[y], 0.03) << "class " << y;
}

TEST(LabelTable, LearnsTheSharesOfTheCodesWhereThePublicOnesMislead) {
  World world = mixed_world();
  world.code_shares = {0.02F, 0.08F, 0.2F, 0.7F};
  const Evidence evidence = world.reports(2, 5);
  const std::vector<float> misleading(kCodes, 1.0F / kCodes);
  const auto worst_error = [&](bool public_codes) {
    LabelTableOptions options = plain(300);
    options.balance = false;
    options.public_codes = public_codes;
    const auto table = learn_label_table(evidence, {misleading}, world.class_shares(), options);
    float worst = 0;  // of the two frequent codes: 4,000 and 14,000 reports, two in five of them true
    for (std::size_t s = 2 * kClasses; s < table.probability.size(); ++s)
      worst = std::max(worst, std::abs(table.probability[s] - world.table.probability[s]));
    return worst;
  };
  EXPECT_LT(worst_error(false), 0.08);
  EXPECT_GT(worst_error(true), 0.08);
}

// Codes 0 and 1 are of one kind, 2 and 3 of another; nearly nobody has code 0.
World world_of_kinds() {
  return {{0.002F, 0.298F, 0.35F, 0.35F}, {kCodes, kClasses, {1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}}};
}
constexpr std::array<float, kCodes* kCodes> kKinds = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0.5F, 0, 0, 0.5F, 0};

TEST(LabelTable, ACodeWithHardlyAnyReportsTakesAfterItsNeighbour) {
  const World world = world_of_kinds();
  int right_alone = 0, right_with_neighbours = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Evidence evidence = world.reports(1, seed);
    const auto label_of_rare = [&](std::span<const float> affinities) {
      const auto table = learn_label_table(evidence, {world.code_shares, affinities}, world.class_shares(), {});
      return std::max_element(table.of(0).begin(), table.of(0).end()) - table.of(0).begin();
    };
    right_alone += label_of_rare({}) == 0 ? 1 : 0;
    right_with_neighbours += label_of_rare(kKinds) == 0 ? 1 : 0;
  }
  EXPECT_EQ(right_with_neighbours, 10);
  EXPECT_LE(right_alone, 8) << "forty reports with a noise of thousands: without neighbours, luck";
}

TEST(LabelTable, ManyReportsOverruleANeighbour) {
  const World world = world_of_kinds();  // codes 2 and 3 are half alike and have labels of their own
  const auto table =
      learn_label_table(world.reports(3, 1), {world.code_shares, kKinds}, world.class_shares(), {.sharpening = 0});
  EXPECT_GT(table.of(2)[1], 0.95);
  EXPECT_GT(table.of(3)[2], 0.95);
}

TEST(LabelTable, IgnoresAReportThatNothingExplains) {
  const World world = mixed_world();
  Evidence evidence = world.reports(4, 2);
  const auto without = learn_label_table(evidence, {world.code_shares}, world.class_shares(), plain(10));
  evidence.values.insert(evidence.values.end(), kCodes * kClasses, 0.0F);
  const auto with = learn_label_table(evidence, {world.code_shares}, world.class_shares(), plain(10));
  for (std::size_t s = 0; s < with.probability.size(); ++s)
    EXPECT_NEAR(with.probability[s], without.probability[s], 1e-4);
}

TEST(ClassShares, AreFoundWhateverTheCodesSayAboutTheClasses) {
  for (const World& world : {world_of_codes_that_say_nothing(), mixed_world(), pure_world()}) {
    const auto shares = estimate_class_shares(world.reports(3, 4), world.code_shares);
    double sum = 0;
    for (std::size_t y = 0; y < kClasses; ++y) {
      EXPECT_NEAR(shares[y], world.class_shares()[y], 0.03) << "class " << y;
      sum += shares[y];
    }
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

TEST(ClassShares, AreEvenAsFarAsHalvesOfTheReportsDisagree) {
  const World world = pure_world();  // classes at 0.5, 0.3 and 0.2
  double furthest = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const double share : estimate_class_shares(world.reports(0.02, seed), world.code_shares))
      furthest = std::max(furthest, std::abs(share - 1.0 / kClasses));
  EXPECT_LT(furthest, 0.1) << "reports that say next to nothing";
  EXPECT_GT(estimate_class_shares(world.reports(1, 1), world.code_shares)[0], 0.4);
}

}  // namespace
}  // namespace sotto
