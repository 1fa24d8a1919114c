#include "sotto/train/variational_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/data/blobs_test.h"

namespace sotto {
namespace {

constexpr std::size_t kCount = 6;

VariationalModelOptions options_with(PosteriorScale scale, std::vector<std::size_t> hidden) {
  VariationalModelOptions options;
  options.dimension = 3;
  options.hidden = std::move(hidden);
  options.l1_radius = 1;
  options.scale = scale;
  options.epsilon_pretrain = 4;
  options.extra_reconstructions = 0.5F;
  return options;
}

VariationalModel make_model(const VariationalModelOptions& options) {
  SeededEntropy entropy(5);
  return {12, options, entropy};
}

// What differentiate() promises the gradient of, with the same noise every time.
double loss(const VariationalModel& model, const Dataset& data) {
  SeededEntropy noise(6);
  VariationalModel::Lap lap;
  const Objective objective = model.evaluate(data.values, kCount, noise, lap);
  return -0.25 * (1.5 * objective.reconstruction - objective.divergence);
}

void expect_slopes(VariationalModel& model, const Dataset& data, std::span<float> parameters,
                   std::span<const float> gradient, const char* name) {
  constexpr float kStep = 2e-3F;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const float kept = parameters[i];
    parameters[i] = kept + kStep;
    const double above = loss(model, data);
    parameters[i] = kept - kStep;
    const double below = loss(model, data);
    parameters[i] = kept;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 6e-3) << name << " parameter " << i;
  }
}

TEST(VariationalModel, HasTheGradientsThatDifferencesShow) {
  const Dataset data = make_blobs(kCount, 7);
  for (const auto& hidden : {std::vector<std::size_t>{}, std::vector<std::size_t>{7, 5}})
    for (const PosteriorScale scale : {PosteriorScale::kFixed, PosteriorScale::kLearnt, PosteriorScale::kZero}) {
      VariationalModel model = make_model(options_with(scale, hidden));
      for (float& parameter : model.encoder().parameters()) parameter *= 3;  // some latents must leave the ball
      SeededEntropy noise(6);
      VariationalModel::Lap lap;
      model.differentiate(data.values, kCount, 0.25F, noise, lap);
      expect_slopes(model, data, model.encoder().parameters(), lap.encoder_gradient, "encoder");
      expect_slopes(model, data, model.decoder().parameters(), lap.decoder_gradient, "decoder");
      if (scale == PosteriorScale::kLearnt)
        expect_slopes(model, data, {&model.log_scale(), 1}, lap.scale_gradient, "scale");
    }
}

TEST(VariationalModel, TakesItsNoiseFromEpsilonTheDiameterAndNothingElse) {
  EXPECT_FLOAT_EQ(make_model(options_with(PosteriorScale::kFixed, {})).scale(), 2 * 1 / 4.0F);
  EXPECT_EQ(make_model(options_with(PosteriorScale::kZero, {})).scale(), 0);
}

TEST(VariationalModel, WithoutHiddenLayersIsLinear) {
  const VariationalModel model = make_model(options_with(PosteriorScale::kFixed, {}));
  EXPECT_EQ(model.encoder().layers().size(), 1U);
  EXPECT_EQ(model.decoder().layers().size(), 1U);
}

}  // namespace
}  // namespace sotto
