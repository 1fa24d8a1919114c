// A contrastive encoder on small images of four kinds: a bar at the top, bottom, left or right.
#include "sotto/train/contrastive_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sotto/backprop/random.h"
#include "sotto/cluster/clusters.h"

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
  DenseNetwork encoder;
  std::vector<double> losses;
};

Trained train(const Dataset& data, const ContrastiveTrainingOptions& options) {
  std::vector<double> losses;
  auto encoder = train_contrastive(data, {1, kSide, kSide}, options,
                                   [&](const LossEpoch& epoch) { losses.push_back(epoch.loss); });
  return {std::move(encoder).value_or_throw(), losses};
}

// The share of records whose cluster is mostly of their kind.
double purity_of(const DenseNetwork& encoder, const Dataset& data) {
  DenseNetwork::Pass pass;
  const auto features = encoder.forward(data.values, data.rows, pass);
  const Clusters clusters =
      find_clusters(features, encoder.outputs(), {.count = kKinds, .restarts = 5, .spherical = true});
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
  const auto parameters = [&] {
    const Trained trained = train(data, options);
    const auto values = trained.encoder.parameters();
    return std::vector<float>(values.begin(), values.end());
  };
  const auto first = parameters();
  EXPECT_EQ(first, parameters());
  options.seed = 2;
  EXPECT_NE(first, parameters());
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
}

}  // namespace
}  // namespace sotto
