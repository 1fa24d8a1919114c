// Two or three classes of points around known centres, seen through additive noise far larger than their distance.
#include "sotto/learn/discriminant_learner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/backprop/random.h"
#include "sotto/learn/prediction.h"

namespace sotto {
namespace {

constexpr std::size_t kWidth = 6;
constexpr std::size_t kReports = 20'000;

// A class's centre is at `distance` along the axis of its number; all scatter alike, most along the first axis.
struct World {
  std::size_t classes;
  float distance;

  std::vector<float> points(std::span<const std::int32_t> labels, float noise, std::uint64_t seed) const {
    SeededEntropy entropy(seed);
    std::vector<float> values;
    for (const std::int32_t label : labels)
      for (std::size_t i = 0; i < kWidth; ++i)
        values.push_back((static_cast<std::size_t>(label) + 1 == i ? distance : 0) +
                         (i == 0 ? 5.0F : 1.0F) * draw_standard_normal(entropy) +
                         noise * draw_standard_laplace(entropy));
    return values;
  }
};

std::vector<std::int32_t> labels_in_turn(std::size_t count, std::size_t classes) {
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(static_cast<std::int32_t>(i * 7 / 3 % classes));
  return labels;
}

double share_right(const TrainableNetwork& network, const World& world) {
  const auto labels = labels_in_turn(6000, world.classes);
  const auto probabilities =
      class_probabilities(network.to_network().value_or_throw(), world.points(labels, 0, 77), 6000);
  const auto predicted = most_probable(probabilities, world.classes);
  std::size_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += predicted[i] == labels[i] ? 1 : 0;
  return static_cast<double>(right) / 6000;
}

TEST(Discriminant, IsAsGoodAsTheBestLineUnderNoiseOfTenTimesTheDistance) {
  const World world{2, 3};  // the best line is right with probability Φ(3/√2) = 0.983
  const auto labels = labels_in_turn(kReports, 2);
  // Public records of one class alone: they show how records scatter, and not what the other class looks like.
  const auto records = world.points(std::vector<std::int32_t>(2000, 0), 0, 5);
  const auto network = learn_discriminant(world.points(labels, 20, 6), labels, no_label_noise(2), records, kWidth);
  EXPECT_GT(share_right(network, world), 0.96);
  // Twice the distance in noise and a tenth of the reports: the same learner must fail.
  const auto few = labels_in_turn(kReports / 10, 2);
  EXPECT_LT(share_right(learn_discriminant(world.points(few, 200, 6), few, no_label_noise(2), records, kWidth), world),
            0.9);
}

TEST(Discriminant, UndoesTheNoiseOfLabels) {
  const World world{3, 2.5F};
  const auto labels = labels_in_turn(kReports, 3);
  std::vector<std::int32_t> noisy = labels;
  SeededEntropy entropy(8);
  for (std::int32_t& label : noisy)  // half of the first class say that they are of the second
    if (label == 0 && draw_uniform(entropy) < 0.5F) label = 1;
  LabelNoise noise = no_label_noise(3);
  noise.probability = {0.5F, 0, 0, 0.5F, 1, 0, 0, 0, 1};
  const auto records = world.points(labels_in_turn(2000, 3), 0, 9);
  const auto points = world.points(labels, 4, 10);
  EXPECT_GT(share_right(learn_discriminant(points, noisy, noise, records, kWidth), world), 0.90);
  EXPECT_LT(share_right(learn_discriminant(points, noisy, no_label_noise(3), records, kWidth), world), 0.88)
      << "labels taken at their word";
}

// How many of the records are taken to be of class 1.
std::ptrdiff_t count_of_second(const World& world, std::span<const std::int32_t> labels,
                               std::span<const float> records) {
  const auto network = learn_discriminant(world.points(labels, 0, 12), labels, no_label_noise(2), records, kWidth);
  const auto predicted =
      most_probable(class_probabilities(network.to_network().value_or_throw(), records, records.size() / kWidth), 2);
  return std::count(predicted.begin(), predicted.end(), 1);
}

TEST(Discriminant, LearnsHowFrequentClassesAre) {
  const World world{2, 1};
  std::vector<std::int32_t> labels(kReports, 0);
  for (std::size_t i = 0; i < labels.size(); i += 20) labels[i] = 1;
  const auto records = world.points(labels, 0, 11);
  EXPECT_LT(count_of_second(world, labels, records), 0.02 * kReports) << "one in twenty, and hardly told apart";
  EXPECT_GT(count_of_second(world, labels_in_turn(kReports, 2), records), 0.1 * kReports) << "reports of other people";
}

TEST(Discriminant, GivesAClassWithoutReportsTheMeanOfAll) {
  const World world{2, 5};
  const auto labels = labels_in_turn(kReports, 2);
  const auto records = world.points(labels, 0, 13);
  LabelNoise three = no_label_noise(3);
  const auto network = learn_discriminant(world.points(labels, 1, 14), labels, three, records, kWidth);
  const auto predicted =
      most_probable(class_probabilities(network.to_network().value_or_throw(), records, kReports), 3);
  EXPECT_EQ(std::count(predicted.begin(), predicted.end(), 2), 0);
}

}  // namespace
}  // namespace sotto
