// A contrastive encoder on small images of four kinds: a bar at the top, bottom, left or right.
#include "sotto/train/contrastive_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sotto/backprop/random.h"
#include "sotto/cluster/clusters.h"
#include "sotto/train/l1_projection.h"

namespace sotto {
namespace {

constexpr std::int32_t kSide = 6;
constexpr std::size_t kPixels = 36, kKinds = 4;

Dataset make_bars(std::size_t rows, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  Dataset data{rows, kPixels, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t kind = row % kKinds;
    data.labels.push_back(static_cast<std::int32_t>(kind));
    for (std::size_t i = 0; i < kPixels; ++i) {
      const std::array<bool, kKinds> bright = {i / 6 < 2, i / 6 >= 4, i % 6 < 2, i % 6 >= 4};
      data.values.push_back((bright[kind] ? 0.6F : 0.0F) + 0.4F * draw_uniform(entropy));
    }
  }
  return data;
}

ContrastiveTrainingOptions small_options() {
  ContrastiveTrainingOptions options;
  options.hidden = {32};
  options.features = 16;
  options.projection = {16, 8};
  options.augmentation = {10, 0.5F, 0.1F, 0.1F, 0.3F, 0, 0};
  options.batch = 64;
  options.epochs = 8;
  return options;
}

struct Trained {
  Network encoder;
  std::vector<double> losses;
};

Trained train(const Dataset& data, const ContrastiveTrainingOptions& options) {
  std::vector<double> losses;
  auto encoder = train_contrastive(data, {1, kSide, kSide}, options,
                                   [&](const LossEpoch& epoch) { losses.push_back(epoch.loss); });
  return {std::move(encoder).value_or_throw(), losses};
}

// The share of records whose cluster is mostly of their kind.
double purity_of(const Network& encoder, const Dataset& data) {
  Network::Workspace workspace;
  std::vector<float> features(data.rows * encoder.output_width());
  encoder.encode(data.values, data.rows, features, workspace);
  const Clusters clusters =
      find_clusters(features, encoder.output_width(), {.count = kKinds, .restarts = 5, .spherical = true});
  std::vector<std::array<std::size_t, kKinds>> counts(clusters.size());
  for (std::size_t row = 0; row < data.rows; ++row)
    ++counts[clusters.member_of[row]][static_cast<std::size_t>(data.labels[row])];
  std::size_t pure = 0;
  for (const auto& count : counts) pure += *std::max_element(count.begin(), count.end());
  return static_cast<double>(pure) / static_cast<double>(data.rows);
}

TEST(ContrastiveTraining, FindsTheKindsOfImagesByItself) {
  const Dataset data = make_bars(400, 1);
  const Trained trained = train(data, small_options());
  EXPECT_EQ(trained.losses.size(), 8U);
  EXPECT_LT(trained.losses.back(), trained.losses.front() - 0.2);
  EXPECT_GT(purity_of(trained.encoder, make_bars(200, 2)), 0.9);  // chance: 0.25
}

TEST(ContrastiveTraining, IsTheSameForTheSameSeed) {
  const Dataset data = make_bars(100, 1);
  ContrastiveTrainingOptions options = small_options();
  options.epochs = 2;
  const auto layers = [&] { return train(data, options).encoder.layers(); };
  const auto first = layers();
  EXPECT_TRUE(first == layers());
  options.seed = 2;
  EXPECT_FALSE(first == layers());
}

TEST(ContrastiveTraining, FindsThemByConvolutionToo) {
  ContrastiveTrainingOptions options = small_options();
  options.convolutions = {{4, 3}, {8, 3}};
  options.hidden = {};
  options.normalised = true;
  const Trained trained = train(make_bars(400, 1), options);
  EXPECT_LT(trained.losses.back(), trained.losses.front() - 0.2);
  EXPECT_GT(purity_of(trained.encoder, make_bars(200, 2)), 0.9);
  options.epochs = 2;
  EXPECT_TRUE(train(make_bars(100, 1), options).encoder.layers() == train(make_bars(100, 1), options).encoder.layers());
}

// Latents of four kinds in a plane, whose noisy versions are told apart: nearest to the mean of their own kind.
TEST(ContrastiveTraining, LearnsLatentsThatSurviveNoise) {
  ContrastiveTrainingOptions options = small_options();
  options.latent = LatentOptions{2, 1, 10};
  options.epochs = 20;
  const Network encoder = train(make_bars(400, 1), options).encoder;
  ASSERT_EQ(encoder.output_width(), 2U);
  const Dataset data = make_bars(400, 2);
  std::vector<float> latents(data.rows * 2);
  Network::Workspace workspace;
  encoder.encode(data.values, data.rows, latents, workspace);
  project_to_l1_ball(1, 2, latents);
  std::array<std::array<float, 2>, kKinds> means{};
  for (std::size_t i = 0; i < latents.size(); ++i)
    means[static_cast<std::size_t>(data.labels[i / 2])][i % 2] += latents[i] * kKinds / 400;
  SeededEntropy entropy(3);
  std::size_t right = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const float x = latents[2 * row] + 0.2F * draw_standard_laplace(entropy);
    const float y = latents[2 * row + 1] + 0.2F * draw_standard_laplace(entropy);
    const auto distance = [&](const auto& mean) { return std::abs(x - mean[0]) + std::abs(y - mean[1]); };
    const auto nearest = std::min_element(means.begin(), means.end(), [&](const auto& left, const auto& other) {
      return distance(left) < distance(other);
    });
    right += nearest - means.begin() == data.labels[row] ? 1 : 0;
  }
  EXPECT_GT(right, 300U);  // of 400, a guess gets 100
}

TEST(ContrastiveTraining, RefusesWhatItCannotContrast) {
  const auto refuses = [](std::size_t rows, const ContrastiveTrainingOptions& options) {
    const auto trained = train_contrastive(make_bars(rows, 1), {1, kSide, kSide}, options, [](const auto&) {});
    return trained ? std::string() : trained.error().message;
  };
  EXPECT_NE(refuses(3, small_options()).find("at least 4 records, got 3"), std::string::npos);
  for (std::size_t fault = 0; fault < 4; ++fault) {
    ContrastiveTrainingOptions options = small_options();
    if (fault == 0) options.projection.clear();
    if (fault == 1) options.epochs = 0;
    if (fault == 2) options.batch = 3;
    if (fault == 3) options.temperature = 0;
    EXPECT_NE(refuses(20, options).find("contrastive training"), std::string::npos) << fault;
  }
  for (const LatentOptions& odd : {LatentOptions{0, 1, 1}, LatentOptions{2, 0, 1}, LatentOptions{2, 1, 0}}) {
    ContrastiveTrainingOptions options = small_options();
    options.latent = odd;
    EXPECT_NE(refuses(20, options).find("a latent needs"), std::string::npos);
  }
  for (const ConvolutionOptions& odd :
       {ConvolutionOptions{0, 3}, ConvolutionOptions{4, 2}, ConvolutionOptions{4, 3, 0}}) {
    ContrastiveTrainingOptions options = small_options();
    options.convolutions = {odd};
    EXPECT_NE(refuses(20, options).find("convolutions"), std::string::npos);
  }
}

}  // namespace
}  // namespace sotto
