#include "sotto/learn/denoising_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "sotto/backprop/instruction_sets_test.h"
#include "sotto/backprop/lanes.h"
#include "sotto/channel/lattice_gaussian.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/learn/lattice_test.h"
#include "sotto/learn/report_set.h"

namespace sotto {
namespace {

constexpr std::size_t kClasses = 3;

// A channel, points, reports about other points, noisy labels and some joint distribution.
struct Problem {
  std::unique_ptr<Channel> channel;
  std::vector<std::int64_t> points, reports;
  std::vector<std::int32_t> labels;
  LabelNoise noise;
  std::vector<float> joint;

  std::size_t report_count() const { return labels.size(); }
  std::size_t point_count() const { return joint.size() / kClasses; }
};

Problem make_problem(std::unique_ptr<Channel> channel, std::vector<std::int64_t> points,
                     std::span<const std::int64_t> reported, SeededEntropy& entropy) {
  Problem problem{std::move(channel), std::move(points), {}, {}, {}, {}};
  problem.reports = draw_reports(*problem.channel, reported, entropy);
  const auto responses = make_randomized_response(kClasses, Epsilon::parse("1").value_or_throw()).value_or_throw();
  problem.noise = label_noise_of(*responses, kClasses);
  const std::size_t width = point_length(problem.channel->domain());
  for (std::size_t n = 0; n < reported.size() / width; ++n)
    problem.labels.push_back(static_cast<std::int32_t>(entropy.take<std::uint64_t>() % kClasses));
  float sum = 0;
  for (std::size_t i = 0; i < problem.points.size() / width * kClasses; ++i) {
    problem.joint.push_back(draw_uniform(entropy));
    sum += problem.joint.back();
  }
  for (float& value : problem.joint) value /= sum;
  return problem;
}

Problem laplace_problem(std::size_t points, std::size_t reports) {
  SeededEntropy entropy(3);
  Lattice lattice = make_lattice(3, 1000, "6");
  auto places = draw_points(lattice.ball, points, entropy);
  const auto reported = draw_points(lattice.ball, reports, entropy);
  return make_problem(std::move(lattice.channel), std::move(places), reported, entropy);
}

Problem gaussian_problem() {
  SeededEntropy entropy(4);
  const L1Ball inside{2, 64};  // an L1 ball lies within the L2 ball of its radius
  auto channel =
      make_lattice_gaussian({2, 64}, Epsilon::parse("6").value_or_throw(), Delta::parse("1e-5").value_or_throw())
          .value_or_throw();
  auto places = draw_points(inside, 37, entropy);
  return make_problem(std::move(channel), std::move(places), draw_points(inside, 25, entropy), entropy);
}

Problem categorical_problem() {
  SeededEntropy entropy(5);
  std::vector<std::int64_t> reported;
  for (std::size_t n = 0; n < 25; ++n) reported.push_back(static_cast<std::int64_t>(n % 5));
  return make_problem(make_randomized_response(5, Epsilon::parse("2").value_or_throw()).value_or_throw(),
                      {0, 1, 2, 3, 4, 1, 0}, reported, entropy);
}

struct Reference {
  double log_likelihood = 0;
  std::vector<double> gradient;
};

// The formula of the header, in double, pair by pair.
Reference naive_pass(const Problem& problem, std::span<const double> joint) {
  const std::size_t width = point_length(problem.channel->domain()), length = problem.channel->report_length();
  Reference result{0, std::vector<double>(joint.size())};
  const double each = 1 / static_cast<double>(problem.report_count());
  for (std::size_t n = 0; n < problem.report_count(); ++n) {
    std::vector<double> terms(joint.size());
    double total = 0;
    const auto given = problem.noise.given_noisy(static_cast<std::size_t>(problem.labels[n]));
    for (std::size_t m = 0; m < problem.point_count(); ++m) {
      const double likelihood = std::exp(problem.channel->log_likelihood(
          std::span(problem.reports).subspan(n * length, length), std::span(problem.points).subspan(m * width, width)));
      for (std::size_t y = 0; y < kClasses; ++y) {
        terms[m * kClasses + y] = likelihood * given[y];
        total += terms[m * kClasses + y] * joint[m * kClasses + y];
      }
    }
    result.log_likelihood += each * std::log(total);
    for (std::size_t i = 0; i < terms.size(); ++i) result.gradient[i] += each * terms[i] / total;
  }
  return result;
}

Reference naive_pass(const Problem& problem) {
  return naive_pass(problem, std::vector<double>(problem.joint.begin(), problem.joint.end()));
}

DenoisingPassResult pass(const Problem& problem, std::span<const float> joint, std::size_t memory = kDenoisingMemory) {
  const auto likelihood = make_report_likelihood(*problem.channel, problem.reports, problem.points);
  return denoising_pass(*likelihood, problem.labels, problem.noise, joint, memory);
}

void expect_equals_the_formula(const Problem& problem) {
  const Reference expected = naive_pass(problem);
  on_every_instruction_set([&] {
    const DenoisingPassResult result = pass(problem, problem.joint);
    EXPECT_NEAR(result.log_likelihood, expected.log_likelihood, 1e-5);
    ASSERT_EQ(result.gradient.size(), expected.gradient.size());
    for (std::size_t i = 0; i < result.gradient.size(); ++i)
      EXPECT_NEAR(result.gradient[i], expected.gradient[i], 1e-5 * (1 + expected.gradient[i])) << "entry " << i;
  });
}

TEST(DenoisingPass, EqualsTheFormulaForLaplaceNoise) { expect_equals_the_formula(laplace_problem(101, 149)); }
TEST(DenoisingPass, EqualsTheFormulaForManyPoints) { expect_equals_the_formula(laplace_problem(2500, 19)); }
TEST(DenoisingPass, EqualsTheFormulaForOnePointAndOneReport) { expect_equals_the_formula(laplace_problem(1, 1)); }
TEST(DenoisingPass, EqualsTheFormulaForGaussianNoise) { expect_equals_the_formula(gaussian_problem()); }
TEST(DenoisingPass, EqualsTheFormulaForRandomisedResponse) { expect_equals_the_formula(categorical_problem()); }

TEST(DenoisingPass, HasTheGradientThatFiniteDifferencesShow) {
  const Problem problem = laplace_problem(13, 21);
  const DenoisingPassResult result = pass(problem, problem.joint);
  std::vector<double> joint(problem.joint.begin(), problem.joint.end());
  for (std::size_t i = 0; i < joint.size(); ++i) {
    const double centre = joint[i], step = 1e-6;
    joint[i] = centre + step;
    const double above = naive_pass(problem, joint).log_likelihood;
    joint[i] = centre - step;
    const double below = naive_pass(problem, joint).log_likelihood;
    joint[i] = centre;
    EXPECT_NEAR(result.gradient[i], (above - below) / (2 * step), 2e-5 * (1 + std::abs(result.gradient[i])));
  }
}

TEST(DenoisingPass, GivesTheSameWithAnyBoundOnMemory) {
  const Problem problem = laplace_problem(101, 149);
  const DenoisingPassResult whole = pass(problem, problem.joint);
  for (const std::size_t rows : {0, 1, 2, 5, 17, 63, 64}) {
    const DenoisingPassResult result =
        pass(problem, problem.joint, rows * kLanes * problem.point_count() * sizeof(float));
    EXPECT_NEAR(result.log_likelihood, whole.log_likelihood, 1e-6);
    for (std::size_t i = 0; i < whole.gradient.size(); ++i)
      EXPECT_NEAR(result.gradient[i], whole.gradient[i], 1e-5 * (1 + whole.gradient[i])) << rows << " rows";
  }
}

// Records where weights were ever put: a place has room for the most that it was given.
class Watched : public ReportLikelihood {
 public:
  explicit Watched(const ReportLikelihood& inner) : ReportLikelihood(inner.reports(), inner.points()), inner_(inner) {}

  void weigh(Stretch reports, Stretch points, std::span<float> weights, std::span<double> log_scales) const override {
    {
      const std::lock_guard lock(mutex_);
      std::size_t& room = rooms_[weights.data()];
      room = std::max(room, weights.size());
      pairs_ += reports.count * points.count;
    }
    inner_.weigh(reports, points, weights, log_scales);
  }

  std::size_t bytes() const {
    std::size_t floats = 0;
    for (const auto& [place, room] : rooms_) floats += room;
    return floats * sizeof(float);
  }
  std::size_t pairs() const { return pairs_; }

 private:
  const ReportLikelihood& inner_;
  mutable std::mutex mutex_;
  mutable std::map<const float*, std::size_t> rooms_;
  mutable std::size_t pairs_ = 0;
};

TEST(DenoisingPass, KeepsTheBoundOnMemoryAndWeighsEachReportOnce) {
  const Problem problem = laplace_problem(2500, 149);
  const auto likelihood = make_report_likelihood(*problem.channel, problem.reports, problem.points);
  const std::size_t row_bytes = problem.point_count() * sizeof(float);
  for (const std::size_t memory : {2 * row_bytes, 7 * row_bytes, 64 * row_bytes, 1000 * row_bytes}) {
    const Watched watched(*likelihood);
    denoising_pass(watched, problem.labels, problem.noise, problem.joint, memory);
    EXPECT_LE(watched.bytes(), memory);
    EXPECT_EQ(watched.pairs(), problem.report_count() * problem.point_count());
  }
}

TEST(DenoisingPass, GivesTheSameForReportsInAnyOrder) {
  Problem problem = laplace_problem(101, 149);
  const DenoisingPassResult whole = pass(problem, problem.joint);
  const ReportSet sorted = sorted_by_label({problem.reports, problem.labels});
  EXPECT_TRUE(std::is_sorted(sorted.labels.begin(), sorted.labels.end()));
  EXPECT_NE(sorted.labels, problem.labels);
  problem.reports = sorted.features;
  problem.labels = sorted.labels;
  const DenoisingPassResult result = pass(problem, problem.joint);
  EXPECT_NEAR(result.log_likelihood, whole.log_likelihood, 1e-6);
  for (std::size_t i = 0; i < whole.gradient.size(); ++i)
    EXPECT_NEAR(result.gradient[i], whole.gradient[i], 1e-5 * (1 + whole.gradient[i]));
}

TEST(DenoisingPass, LetsNoStepOfExpectationMaximisationLowerTheLikelihood) {
  const Problem problem = laplace_problem(101, 149);
  std::vector<float> joint = problem.joint;
  double before = pass(problem, joint).log_likelihood;
  const double first = before;
  for (int step = 0; step < 20; ++step) {
    const DenoisingPassResult result = pass(problem, joint);
    EXPECT_GE(result.log_likelihood, before - 1e-6);
    before = result.log_likelihood;
    double sum = 0;
    for (std::size_t i = 0; i < joint.size(); ++i) sum += static_cast<double>(joint[i] *= result.gradient[i]);
    EXPECT_NEAR(sum, 1, 1e-4);  // the expected counts of all reports
  }
  EXPECT_GT(before, first + 0.01);
}

TEST(DenoisingPass, GivesAReportThatNothingExplainsNoSay) {
  Problem problem = laplace_problem(7, 2);
  for (std::size_t m = 0; m < problem.point_count(); ++m) problem.joint[m * kClasses] = 0;
  problem.noise = no_label_noise(kClasses);
  problem.labels = {0, 1};  // no point has the label of the first report
  const DenoisingPassResult result = pass(problem, problem.joint);
  EXPECT_TRUE(std::isfinite(result.log_likelihood));
  double counts = 0;
  for (std::size_t i = 0; i < problem.joint.size(); ++i)
    counts += static_cast<double>(problem.joint[i] * result.gradient[i]);
  EXPECT_NEAR(counts, 0.5, 1e-5);  // the second report alone
}

// Points in two heaps at the ends of a line, so many that a heap fills tiles of its own, and so little noise that a
// report about one end leaves the other nothing that a float could hold.
TEST(DenoisingPass, StandsPointsThatAreFarBeyondAFloatsRange) {
  SeededEntropy entropy(7);
  Lattice lattice = make_lattice(1, 1000, "100");
  std::vector<std::int64_t> points(4000, -1000);
  std::fill(points.begin() + 2500, points.end(), 1000);
  const Problem problem =
      make_problem(std::move(lattice.channel), points, std::array<std::int64_t, 2>{-1000, 1000}, entropy);
  expect_equals_the_formula(problem);
  const DenoisingPassResult result = pass(problem, problem.joint);
  for (const float value : result.gradient) EXPECT_TRUE(std::isfinite(value));
}

TEST(LabelNoise, HasTheProbabilitiesOfRandomisedResponse) {
  const auto responses = make_randomized_response(kClasses, Epsilon::parse("1").value_or_throw()).value_or_throw();
  const LabelNoise noise = label_noise_of(*responses, kClasses);
  const double e = std::exp(1.0);
  for (std::size_t noisy = 0; noisy < kClasses; ++noisy)
    for (std::size_t label = 0; label < kClasses; ++label)
      EXPECT_NEAR(noise.given_noisy(noisy)[label], (noisy == label ? e : 1) / (e + 2), 1e-6);
}

}  // namespace
}  // namespace sotto
