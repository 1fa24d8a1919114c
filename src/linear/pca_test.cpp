#include "sotto/linear/pca.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/feature_decoder.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto {
namespace {

double uniform_unit(Entropy& entropy) {
  return static_cast<double>(entropy.take<std::uint32_t>()) / 4294967296.0 - 0.5;
}

// Records around (10, −5, 2) that vary along (3, 4, 0)/5 with sd 8, along (−4, 3, 0)/5 with sd 2, and little along z.
Dataset stretched_cloud(std::size_t rows) {
  SeededEntropy entropy(7);
  Dataset data{rows, 3, {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = uniform_unit(entropy) * 8 * std::sqrt(12.0);
    const double b = uniform_unit(entropy) * 2 * std::sqrt(12.0);
    const double c = uniform_unit(entropy) * 0.1;
    data.values.push_back(static_cast<float>(10 + 0.6 * a - 0.8 * b));
    data.values.push_back(static_cast<float>(-5 + 0.8 * a + 0.6 * b));
    data.values.push_back(static_cast<float>(2 + c));
  }
  return data;
}

InputSchema three_columns() {
  InputSchema schema;
  for (const char* name : {"x", "y", "z"}) {
    Column column;
    column.name = name;
    column.minimum = -100;
    column.maximum = 100;
    schema.columns.push_back(column);
  }
  return schema;
}

TEST(Pca, FindsTheDirectionsAndVariancesOfAKnownCloud) {
  const PcaFit fit = fit_pca(stretched_cloud(20000), three_columns(), std::nullopt, {2, {}, 65536}).value_or_throw();
  const auto& layer = std::get<DenseLayer>(fit.spec.encoder.layers()[0]);
  const std::vector<double> expected = {0.6, 0.8, 0.0, 0.8, -0.6, 0.0};  // the largest weight is made positive
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(layer.weights[i], expected[i], 0.02);
  EXPECT_NEAR(layer.bias[0], -(0.6 * 10 + 0.8 * -5), 0.3);
  EXPECT_GT(fit.explained_variance, 0.9999);
  EXPECT_LT(fit.explained_variance, 1.0);
}

TEST(Pca, TakesTheMedianNormAsRadiusUnlessToldOtherwise) {
  const Dataset data = stretched_cloud(5000);
  const PcaFit fit = fit_pca(data, three_columns(), std::nullopt, {2, {}, 65536}).value_or_throw();
  std::size_t inside = 0;
  Network::Workspace workspace;
  std::vector<float> z(2);
  for (std::size_t i = 0; i < data.rows; ++i) {
    fit.spec.encoder.encode(std::span(data.values).subspan(3 * i, 3), 1, z, workspace);
    inside += std::abs(z[0]) + std::abs(z[1]) <= fit.l1_radius ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(data.rows), 0.5, 0.01);
  EXPECT_EQ(fit_pca(data, three_columns(), std::nullopt, {2, 3.5, 65536}).value_or_throw().l1_radius, 3.5);
}

TEST(Pca, MakesAMechanismThatReleases) {
  const PcaFit fit = fit_pca(stretched_cloud(1000), three_columns(), std::nullopt, {2, {}, 65536}).value_or_throw();
  const Mechanism mechanism = Mechanism::make(fit.spec).value_or_throw();
  Release release = mechanism.release({Epsilon::parse("1.4").value_or_throw(), Delta::zero(), {}}).value_or_throw();
  EXPECT_EQ(release.claim().epsilon, Epsilon::parse("7/5").value_or_throw());
  EXPECT_EQ(release.claim().exactness, Exactness::kExact);
  Entropy entropy;
  std::vector<std::int64_t> report(2);
  EXPECT_TRUE(release.privatize(std::vector<float>{1, 2, 3}, {}, 1, entropy, report));
}

TEST(Pca, DecodesAnEncodingToTheRecordUpToTheComponentsLeftOut) {
  const Dataset data = stretched_cloud(1000);
  for (const std::size_t dimension : {1U, 2U}) {
    const PcaFit fit = fit_pca(data, three_columns(), std::nullopt, {dimension, {}, 65536}).value_or_throw();
    Network::Workspace workspace;
    std::vector<float> encodings(data.rows * dimension), decoded(data.values.size());
    fit.spec.encoder.encode(data.values, data.rows, encodings, workspace);
    fit.spec.decoder->network.encode(encodings, data.rows, decoded, workspace);
    double squares = 0;
    for (std::size_t i = 0; i < decoded.size(); ++i) squares += std::pow(decoded[i] - data.values[i], 2);
    const double left_out = squares / static_cast<double>(data.rows);
    if (dimension == 2)
      EXPECT_LT(left_out, 0.1 * 0.1 / 12 * 1.2);  // the variance along z
    else
      EXPECT_NEAR(left_out, 2 * 2, 0.5);
  }
}

TEST(Pca, ReleasesFeaturesWithinTheBounds) {
  const Dataset data = stretched_cloud(1000);
  const PcaFit fit = fit_pca(data, three_columns(), std::nullopt, {2, {}, 65536}).value_or_throw();
  const Mechanism mechanism = Mechanism::make(fit.spec).value_or_throw();
  FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
  const auto mean_error = [&](const char* epsilon) {
    ReportBatch batch(
        mechanism.release({Epsilon::parse(epsilon).value_or_throw(), Delta::zero(), {}}).value_or_throw());
    SeededEntropy entropy(3);
    batch.privatize(data.values, {}, data.rows, entropy).or_throw();
    std::vector<float> decoded(data.values.size());
    decoder.decode(batch, decoded).or_throw();
    double error = 0;
    for (std::size_t i = 0; i < decoded.size(); ++i) {
      EXPECT_LE(std::abs(decoded[i]), 100);
      error += std::abs(decoded[i] - data.values[i]);
    }
    return error / static_cast<double>(decoded.size());
  };
  EXPECT_LT(mean_error("100"), 3);  // what is left is the ball: half of the cloud lies outside
  EXPECT_GT(mean_error("0.1"), 30);
}

TEST(Pca, RefusesWhatItCannotUse) {
  const Dataset good = stretched_cloud(100);
  EXPECT_FALSE(fit_pca(good, three_columns(), std::nullopt, {0, {}, 65536}));
  EXPECT_FALSE(fit_pca(good, three_columns(), std::nullopt, {4, {}, 65536}));
  EXPECT_FALSE(fit_pca({1, 3, {1, 2, 3}, {}}, three_columns(), std::nullopt, {1, {}, 65536}));
  Dataset poisoned = good;
  poisoned.values[5] = NAN;
  EXPECT_FALSE(fit_pca(poisoned, three_columns(), std::nullopt, {1, {}, 65536}));
  InputSchema image;
  image.image = ImageShape{1, 2, 2};
  EXPECT_FALSE(fit_pca(good, image, std::nullopt, {1, {}, 65536}));
}

}  // namespace
}  // namespace sotto
