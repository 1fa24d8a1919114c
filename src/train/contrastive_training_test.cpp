// A contrastive encoder on small images of four kinds, a bar at the top, bottom, left or right, and on tables of four
// kinds of record.
#include "sotto/train/contrastive_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sotto/backprop/random.h"
#include "sotto/cluster/clusters.h"
#include "sotto/train/l1_projection.h"
#include "sotto/train/table_coding.h"

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
  options.views.augmentation = {.rotation_degrees = 10, .shift = 0.08F, .scale = 0.1F, .shear = 0.1F, .elastic = 0.05F};
  options.batch = 64;
  options.epochs = 8;
  return options;
}

// Five columns of eight categories agree on the kind, each kind having two categories of its own in every column. Many
// numbers take one of two values for no reason, and catch the eye.
constexpr std::size_t kInformative = 5, kIdle = 16;

InputSchema table_schema() {
  InputSchema schema;
  for (std::size_t i = 0; i < kInformative; ++i)
    schema.columns.push_back(
        {"category " + std::to_string(i), Column::Kind::kCategorical, 0, 1, {"a", "b", "c", "d", "e", "f", "g", "h"}});
  for (std::size_t i = 0; i < kIdle; ++i)
    schema.columns.push_back({"number " + std::to_string(i), Column::Kind::kNumeric, 0, 2000, {}});
  return schema;
}

Dataset make_table(std::size_t rows, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  Dataset data{rows, kInformative + kIdle, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t kind = row % kKinds;
    data.labels.push_back(static_cast<std::int32_t>(kind));
    for (std::size_t i = 0; i < kInformative; ++i) {
      const std::size_t one = draw_uniform(entropy) < 0.5F ? 0 : 1;
      data.values.push_back(static_cast<float>((kind + i) % kKinds + kKinds * one));  // one of two that lie apart
    }
    for (std::size_t i = 0; i < kIdle; ++i)
      data.values.push_back((draw_uniform(entropy) < 0.5F ? 200.0F : 1800.0F) + 50 * draw_standard_normal(entropy));
  }
  return data;
}

ContrastiveTrainingOptions table_options() {
  ContrastiveTrainingOptions options;
  make_tabular(options);
  options.batch = 128;
  options.epochs = 40;
  return options;
}

struct Trained {
  Network encoder;
  std::vector<double> losses;
};

Trained train(const Dataset& data, const ContrastiveTrainingOptions& options,
              const InputSchema& input = {ImageShape{1, kSide, kSide}, {}}) {
  std::vector<double> losses;
  auto encoder = train_contrastive(data, input, options, [&](const LossEpoch& epoch) { losses.push_back(epoch.loss); });
  return {std::move(encoder).value_or_throw(), losses};
}

// The share of records whose cluster is mostly of their kind.
double purity_of(std::span<const float> features, const Dataset& data, bool spherical) {
  const Clusters clusters =
      find_clusters(features, features.size() / data.rows, {.count = kKinds, .restarts = 5, .spherical = spherical});
  std::vector<std::array<std::size_t, kKinds>> counts(clusters.size());
  for (std::size_t row = 0; row < data.rows; ++row)
    ++counts[clusters.member_of[row]][static_cast<std::size_t>(data.labels[row])];
  std::size_t pure = 0;
  for (const auto& count : counts) pure += *std::max_element(count.begin(), count.end());
  return static_cast<double>(pure) / static_cast<double>(data.rows);
}

double purity_of(const Network& encoder, const Dataset& data) {
  Network::Workspace workspace;
  std::vector<float> features(data.rows * encoder.output_width());
  encoder.encode(data.values, data.rows, features, workspace);
  return purity_of(features, data, true);
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

// Latents of four kinds in a plane: the share whose noisy versions lie nearest to the mean of their own kind.
double share_told_apart(const Network& encoder, const Dataset& data) {
  std::vector<float> latents(data.rows * 2);
  Network::Workspace workspace;
  encoder.encode(data.values, data.rows, latents, workspace);
  project_to_l1_ball(1, 2, latents);
  std::array<std::array<float, 2>, kKinds> means{};
  for (std::size_t i = 0; i < latents.size(); ++i)
    means[static_cast<std::size_t>(data.labels[i / 2])][i % 2] += latents[i] * kKinds / static_cast<float>(data.rows);
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
  return static_cast<double>(right) / static_cast<double>(data.rows);
}

TEST(ContrastiveTraining, LearnsLatentsThatSurviveNoise) {
  ContrastiveTrainingOptions options = small_options();
  options.latent = LatentOptions{2, 1, 10};
  options.epochs = 20;
  const Network encoder = train(make_bars(400, 1), options).encoder;
  ASSERT_EQ(encoder.output_width(), 2U);
  EXPECT_GT(share_told_apart(encoder, make_bars(400, 2)), 0.75);  // a guess gets 0.25
}

TEST(ContrastiveTraining, FindsTheKindsOfRecordsInATableWhereTheRecordsAloneHideThem) {
  const InputSchema schema = table_schema();
  const Dataset data = make_table(800, 1), unseen = make_table(400, 2);
  const Trained trained = train(data, table_options(), schema);
  ASSERT_EQ(trained.encoder.input_width(), schema.width());  // a device's records
  EXPECT_GT(purity_of(trained.encoder, unseen), 0.95);       // chance: 0.25

  const TableCoding coding = TableCoding::make(data, schema.columns).value_or_throw();
  std::vector<float> coded(unseen.rows * coding.width(), 0);
  for (std::size_t i = 0; i < unseen.values.size(); ++i)
    coding.write(i % unseen.width, unseen.values[i],
                 std::span(coded).subspan(i / unseen.width * coding.width(), coding.width()));
  EXPECT_LT(purity_of(unseen.values, unseen, false), 0.6);
  EXPECT_LT(purity_of(coded, unseen, false), 0.6);
}

// Views that are the record itself, or anybody's, teach nothing of how columns go together.
TEST(ContrastiveTraining, FindsThemNoMoreWhenViewsBorrowNextToNothingOrAllTheirColumns) {
  const Dataset data = make_table(800, 1), unseen = make_table(400, 2);
  for (const float corruption : {0.001F, 0.999F}) {
    ContrastiveTrainingOptions options = table_options();
    options.views.corruption = corruption;
    EXPECT_LT(purity_of(train(data, options, table_schema()).encoder, unseen), 0.7) << corruption;
  }
}

TEST(ContrastiveTraining, LearnsLatentsOfTablesThatSurviveNoise) {
  ContrastiveTrainingOptions options = table_options();
  options.latent = LatentOptions{2, 1, 10};
  options.views.corruption = 0.3F;  // noise and corruption together hide much; at 0.6 latents take longer to learn
  const Network encoder = train(make_table(800, 1), options, table_schema()).encoder;
  EXPECT_GT(share_told_apart(encoder, make_table(400, 2)), 0.75);  // a guess gets 0.25
}

TEST(ContrastiveTraining, IsTheSameForTheSameSeedAndTable) {
  ContrastiveTrainingOptions options = table_options();
  options.epochs = 2;
  const auto layers = [&] { return train(make_table(100, 1), options, table_schema()).encoder.layers(); };
  const auto first = layers();
  EXPECT_TRUE(first == layers());
  options.seed = 2;
  EXPECT_FALSE(first == layers());
}

TEST(ContrastiveTraining, RefusesTablesThatItCannotContrast) {
  const auto refuses = [](const Dataset& data, const ContrastiveTrainingOptions& options) {
    const auto trained = train_contrastive(data, table_schema(), options, [](const auto&) {});
    return trained ? std::string() : trained.error().message;
  };
  ContrastiveTrainingOptions options = table_options();
  options.views.corruption = 1;
  EXPECT_NE(refuses(make_table(20, 1), options).find("corruption: must lie between 0 and 1"), std::string::npos);
  options = table_options();
  options.convolutions = {{4, 3}};
  EXPECT_NE(refuses(make_table(20, 1), options).find("convolutions: are of images only"), std::string::npos);
  Dataset missing = make_table(20, 1);
  missing.values[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(refuses(missing, table_options()).find("column number 2 holds missing"), std::string::npos);
}

TEST(ContrastiveTraining, RefusesWhatItCannotContrast) {
  const auto refuses = [](std::size_t rows, const ContrastiveTrainingOptions& options) {
    const auto trained =
        train_contrastive(make_bars(rows, 1), {ImageShape{1, kSide, kSide}, {}}, options, [](const auto&) {});
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
