#include "sotto/learn/classifier_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/backprop/random.h"

namespace sotto {
namespace {

constexpr std::size_t kInputs = 3, kClasses = 3;

struct Examples {
  std::vector<float> inputs, targets;
};

Examples draw_examples(std::size_t count, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  Examples examples;
  for (std::size_t i = 0; i < count * kInputs; ++i) examples.inputs.push_back(draw_standard_laplace(entropy));
  for (std::size_t i = 0; i < count * kClasses; ++i) examples.targets.push_back(draw_uniform(entropy));
  return examples;
}

TrainableNetwork logistic_regression(std::size_t classes = kClasses) {
  TrainableNetwork network = TrainableNetwork::perceptron(kInputs, {}, classes, Activation::kNone);
  SeededEntropy entropy(1);
  network.initialise(entropy);
  return network;
}

// The loss of the header for a logistic regression, in double.
double naive_loss(std::span<const double> parameters, const Examples& examples, Targets kind) {
  const std::size_t count = examples.targets.size() / kClasses;
  double loss = 0;
  for (std::size_t row = 0; row < count; ++row) {
    std::array<double, kClasses> p{};
    double sum = 0;
    for (std::size_t y = 0; y < kClasses; ++y) {
      double logit = parameters[kClasses * kInputs + y];
      for (std::size_t i = 0; i < kInputs; ++i)
        logit += parameters[y * kInputs + i] * static_cast<double>(examples.inputs[row * kInputs + i]);
      sum += p[y] = std::exp(logit);
    }
    double evidence = 0;
    for (std::size_t y = 0; y < kClasses; ++y) {
      const double target = static_cast<double>(examples.targets[row * kClasses + y]);
      evidence += target * p[y] / sum;
      if (kind == Targets::kCounts) loss -= target * std::log(p[y] / sum);
    }
    if (kind == Targets::kLikelihoods) loss -= std::log(evidence);
  }
  return loss / static_cast<double>(count);
}

std::vector<double> finite_differences(std::vector<double> parameters, const Examples& examples, Targets kind) {
  std::vector<double> gradient;
  constexpr double kStep = 1e-5;
  for (double& parameter : parameters) {
    const double centre = parameter;
    parameter = centre + kStep;
    const double above = naive_loss(parameters, examples, kind);
    parameter = centre - kStep;
    const double below = naive_loss(parameters, examples, kind);
    parameter = centre;
    gradient.push_back((above - below) / (2 * kStep));
  }
  return gradient;
}

class BothTargets : public testing::TestWithParam<Targets> {};
INSTANTIATE_TEST_SUITE_P(ClassifierTraining, BothTargets, testing::Values(Targets::kLikelihoods, Targets::kCounts));

TEST_P(BothTargets, HaveTheLossOfTheirFormula) {
  const TrainableNetwork network = logistic_regression();
  const Examples examples = draw_examples(1111, 2);
  const std::vector<double> parameters(network.parameters().begin(), network.parameters().end());
  EXPECT_NEAR(mean_loss(network, examples.inputs, examples.targets, GetParam()),
              naive_loss(parameters, examples, GetParam()), 1e-6);
}

// Adam's first step shows the signs of the gradient only; the second, on other examples, weighs both gradients against
// each other and so shows their sizes. Each epoch is one batch, of odd size, shared by two lanes.
TEST_P(BothTargets, StepAlongTheGradientThatFiniteDifferencesShow) {
  constexpr float kRate = 1e-4F;
  TrainableNetwork network = logistic_regression();
  std::vector<double> expected(network.parameters().begin(), network.parameters().end());
  const std::array examples{draw_examples(51, 3), draw_examples(37, 4)};
  ClassifierTrainer trainer(network, {.learning_rate = kRate, .batch = 100});
  std::vector<double> m(expected.size()), v(expected.size());
  for (std::size_t step = 0; step < 2; ++step) {
    trainer.run_epoch(examples[step].inputs, examples[step].targets, GetParam());
    const auto gradient = finite_differences(expected, examples[step], GetParam());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      m[i] = 0.9 * m[i] + 0.1 * gradient[i];
      v[i] = 0.999 * v[i] + 0.001 * gradient[i] * gradient[i];
      const double time = static_cast<double>(step + 1);
      expected[i] -=
          static_cast<double>(kRate) * m[i] / (1 - std::pow(0.9, time)) / std::sqrt(v[i] / (1 - std::pow(0.999, time)));
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(network.parameters()[i], expected[i], 0.005 * static_cast<double>(kRate)) << "parameter " << i;
}

TEST(ClassifierTraining, GivesProbabilities) {
  const TrainableNetwork network = logistic_regression();
  std::vector<float> inputs = draw_examples(700, 5).inputs;
  for (std::size_t i = 0; i < kInputs; ++i) inputs[i] = 1e4F;  // logits beyond what exp can hold
  const auto probabilities = class_probabilities(network, inputs, 700);
  ASSERT_EQ(probabilities.size(), 700 * kClasses);
  for (std::size_t row = 0; row < 700; ++row) {
    float sum = 0;
    for (std::size_t y = 0; y < kClasses; ++y) sum += probabilities[row * kClasses + y];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST(ClassifierTraining, IsTheSameForTheSameSeed) {
  const Examples examples = draw_examples(300, 6);
  const auto train = [&](std::uint64_t seed) {
    TrainableNetwork network = logistic_regression();
    ClassifierTrainer trainer(network, {.batch = 32, .seed = seed});
    for (int epoch = 0; epoch < 3; ++epoch) trainer.run_epoch(examples.inputs, examples.targets, Targets::kCounts);
    return std::vector<float>(network.parameters().begin(), network.parameters().end());
  };
  EXPECT_EQ(train(1), train(1));
  EXPECT_NE(train(1), train(2));
}

TEST(ClassifierTraining, PassesWeightDecayOn) {
  TrainableNetwork network = logistic_regression();
  const std::vector<float> before(network.parameters().begin(), network.parameters().end());
  const std::vector<float> inputs(kInputs, 1), nothing(kClasses, 0);  // counts of zero: no gradient
  ClassifierTrainer trainer(network, {.learning_rate = 0.1F, .weight_decay = 0.5F});
  trainer.run_epoch(inputs, nothing, Targets::kCounts);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(network.parameters()[i], 0.95F * before[i], 1e-7);
}

// Two classes on either side of a plane. Three in ten labels are wrong: class 0 is reported as 1 six times in ten.
struct NoisyProblem {
  std::vector<float> inputs, noisy, likelihoods;
  std::vector<std::size_t> labels;
};

NoisyProblem draw_noisy_problem(std::size_t count) {
  SeededEntropy entropy(8);
  NoisyProblem problem;
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t label = row % 2;
    const float side = label == 0 ? -0.2F - draw_uniform(entropy) : 0.2F + draw_uniform(entropy);
    for (const float value : {side, draw_standard_laplace(entropy), draw_standard_laplace(entropy)})
      problem.inputs.push_back(value);
    problem.labels.push_back(label);
    const bool seen_as_1 = label == 1 || draw_uniform(entropy) < 0.6F;
    for (const float value : {seen_as_1 ? 0.0F : 1.0F, seen_as_1 ? 1.0F : 0.0F}) problem.noisy.push_back(value);
    for (const float value : {seen_as_1 ? 0.6F : 0.4F, seen_as_1 ? 1.0F : 0.0F}) problem.likelihoods.push_back(value);
  }
  return problem;
}

double accuracy_after_training(const NoisyProblem& problem, std::span<const float> targets) {
  TrainableNetwork network = logistic_regression(2);
  ClassifierTrainer trainer(network, {.learning_rate = 0.02F});
  for (int epoch = 0; epoch < 30; ++epoch) trainer.run_epoch(problem.inputs, targets, Targets::kLikelihoods);
  const auto probabilities = class_probabilities(network, problem.inputs, problem.labels.size());
  double right = 0;
  for (std::size_t row = 0; row < problem.labels.size(); ++row)
    right += (probabilities[2 * row + 1] > probabilities[2 * row]) == (problem.labels[row] == 1) ? 1 : 0;
  return right / static_cast<double>(problem.labels.size());
}

TEST(ClassifierTraining, SeesThroughKnownLabelNoiseWherePlainTrainingDoesNot) {
  const NoisyProblem problem = draw_noisy_problem(2000);
  EXPECT_GT(accuracy_after_training(problem, problem.likelihoods), 0.97);
  EXPECT_LT(accuracy_after_training(problem, problem.noisy), 0.85);
}

}  // namespace
}  // namespace sotto
