#include "sotto/train/aligned_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/data/blobs_test.h"
#include "sotto/train/l1_projection.h"

namespace sotto {
namespace {

constexpr std::size_t kKinds = 4;

AlignedTrainingOptions small_options() {
  AlignedTrainingOptions options;
  options.dimension = 2;
  options.hidden = {16};
  options.l1_radius = 2;
  options.batch = 32;
  options.learning_rate = 5e-3F;
  options.epochs = 12;
  return options;
}

struct Trained {
  Network encoder;
  std::vector<double> losses;
};

Trained train(const Dataset& data, const AlignedTrainingOptions& options) {
  const std::vector<std::uint32_t> codes(data.labels.begin(), data.labels.end());
  std::vector<double> losses;
  auto encoder =
      train_aligned(data, codes, kKinds, options, [&](const LossEpoch& epoch) { losses.push_back(epoch.loss); });
  return {std::move(encoder).value_or_throw(), losses};
}

float l1_distance(std::span<const float> left, std::span<const float> right) {
  float sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += std::abs(left[i] - right[i]);
  return sum;
}

TEST(AlignedTraining, GivesEachCodeAVertexOfItsOwn) {
  constexpr std::size_t kDimension = 3;
  for (std::size_t code = 0; code < 2 * kDimension; ++code) {
    const auto vertex = vertex_of(code, kDimension, 5);
    EXPECT_EQ(l1_distance(vertex, std::vector<float>(kDimension, 0)), 5);
    for (std::size_t other = 0; other < code; ++other)
      EXPECT_EQ(l1_distance(vertex, vertex_of(other, kDimension, 5)), 10) << "as far apart as the ball allows";
  }
  EXPECT_EQ(vertex_of(3, kDimension, 5), (std::vector<float>{0, -5, 0}));
}

TEST(AlignedTraining, SendsEveryCodeToItsVertex) {
  const AlignedTrainingOptions options = small_options();
  const Trained trained = train(make_blobs(400, 1), options);
  ASSERT_EQ(trained.losses.size(), 12U);
  EXPECT_GT(trained.losses.front(), trained.losses.back() + 0.1);
  const Dataset fresh = make_blobs(200, 2);
  Network::Workspace workspace;
  std::vector<float> latents(fresh.rows * options.dimension);
  trained.encoder.encode(fresh.values, fresh.rows, latents, workspace);
  project_to_l1_ball(options.l1_radius, options.dimension, latents);
  double mean = 0;
  for (std::size_t row = 0; row < fresh.rows; ++row) {
    const auto latent = std::span(latents).subspan(row * 2, 2);
    const auto own = vertex_of(static_cast<std::size_t>(fresh.labels[row]), 2, options.l1_radius);
    mean += static_cast<double>(l1_distance(latent, own)) / static_cast<double>(fresh.rows);
    for (std::size_t other = 0; other < kKinds; ++other)
      EXPECT_LE(l1_distance(latent, own), l1_distance(latent, vertex_of(other, 2, options.l1_radius)));
  }
  EXPECT_LT(mean, 0.4);  // of a diameter of 4
}

// −log of the posterior of one among four equally likely codes, before anything is learnt and with noise that drowns
// everything: log 4.
TEST(AlignedTraining, StartsFromTheLossOfGuessing) {
  AlignedTrainingOptions options = small_options();
  options.epsilon_pretrain = 0.01F;
  options.epochs = 1;
  EXPECT_NEAR(train(make_blobs(200, 1), options).losses[0], std::log(4.0), 0.05);
}

TEST(AlignedTraining, IsTheSameForTheSameSeed) {
  AlignedTrainingOptions options = small_options();
  options.epochs = 2;
  const Dataset data = make_blobs(100, 1);
  const auto first = train(data, options), again = train(data, options);
  EXPECT_EQ(first.losses, again.losses);
  EXPECT_TRUE(first.encoder.layers() == again.encoder.layers());
  options.seed = 2;
  EXPECT_NE(first.losses, train(data, options).losses);
}

TEST(AlignedTraining, RefusesCodesWithoutAVertexAndOptionsOutOfRange) {
  const Dataset data = make_blobs(20, 1);
  const std::vector<std::uint32_t> codes(20, 0), too_few(19, 0);
  const auto refuses = [&](std::span<const std::uint32_t> of_record, std::size_t count,
                           const AlignedTrainingOptions& options) {
    const auto trained = train_aligned(data, of_record, count, options, [](const auto&) {});
    return trained ? std::string() : trained.error().message;
  };
  EXPECT_NE(refuses(codes, 5, small_options()).find("codes: must lie between 2 and the number of vertices, 4, got 5"),
            std::string::npos);
  EXPECT_NE(refuses(codes, 1, small_options()).find("codes"), std::string::npos);
  EXPECT_NE(refuses(too_few, 4, small_options()).find("expected one for each of 20 records, got 19"),
            std::string::npos);
  AlignedTrainingOptions no_noise = small_options();
  no_noise.epsilon_pretrain = 0;
  EXPECT_NE(refuses(codes, 4, no_noise).find("epsilon_pretrain"), std::string::npos);
  const std::vector<std::uint32_t> beyond(20, 4);
  EXPECT_NE(refuses(beyond, 4, small_options()).find("codes"), std::string::npos) << "a code that does not exist";
}

}  // namespace
}  // namespace sotto
