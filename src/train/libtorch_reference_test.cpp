// The fused training step against libtorch's automatic differentiation and its Adam: the same model, the same noise.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <numeric>

#include "sotto/backprop/adam.h"
#include "sotto/backprop/random.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/train/laplace_divergence.h"
#include "sotto/train/variational_training.h"

namespace sotto {
namespace {

constexpr std::size_t kPixels = 784, kBatch = 64;

std::vector<float> make_records() {
  SeededEntropy entropy(1);
  std::vector<float> records(kBatch * kPixels);
  for (float& value : records) value = std::max(0.0F, 2 * draw_uniform(entropy) - 1);
  return records;
}

VariationalModel make_model(Likelihood likelihood, std::vector<std::size_t> hidden = {400, 150, 50}) {
  VariationalModelOptions options;
  options.l1_radius = 0.4F;  // so that some points lie outside at first
  options.scale = PosteriorScale::kLearnt;
  options.hidden = std::move(hidden);
  options.likelihood = likelihood;
  options.extra_reconstructions = 1;
  SeededEntropy entropy(2);
  return {kPixels, options, entropy};
}

torch::Tensor tensor(std::span<const float> values, std::vector<std::int64_t> shape) {
  return torch::tensor(std::vector<float>(values.begin(), values.end())).reshape(shape);
}

// The published model, written with libtorch's own operations.
struct Reference {
  std::vector<torch::Tensor> encoder, decoder;  // weight and bias of each layer, in order
  torch::Tensor log_scale;
  VariationalModelOptions options;

  explicit Reference(const VariationalModel& model) : options(model.options()) {
    encoder = leaves(model.encoder());
    decoder = leaves(model.decoder());
    log_scale = torch::tensor(model.log_scale()).requires_grad_(true);
  }

  static std::vector<torch::Tensor> leaves(const TrainableNetwork& network) {
    std::vector<torch::Tensor> tensors;
    auto inputs = static_cast<std::int64_t>(network.inputs());
    std::size_t place = 0;
    const auto take = [&](std::vector<std::int64_t> shape, std::int64_t count) {
      tensors.push_back(
          tensor(network.parameters().subspan(place, static_cast<std::size_t>(count)), shape).requires_grad_(true));
      place += static_cast<std::size_t>(count);
    };
    for (const LayerShape& layer : network.layers()) {
      const auto outputs = static_cast<std::int64_t>(layer.outputs);
      take({outputs, inputs}, outputs * inputs);
      take({outputs}, outputs);
      inputs = outputs;
    }
    return tensors;
  }

  static torch::Tensor run(const std::vector<torch::Tensor>& layers, torch::Tensor x) {
    for (std::size_t i = 0; i < layers.size(); i += 2) {
      x = torch::linear(x, layers[i], layers[i + 1]);
      if (i + 2 < layers.size()) x = torch::relu(x);
    }
    return x;
  }

  torch::Tensor loss(const torch::Tensor& records, const torch::Tensor& noise) const {
    const auto unbounded = run(encoder, records);
    const auto norm = unbounded.abs().sum(1, true);
    const auto means = torch::where(norm > options.l1_radius, options.l1_radius * unbounded / norm, unbounded);
    const auto scale = log_scale.exp();
    const auto outputs = run(decoder, means + scale * noise);
    const auto distance = means.abs();
    const auto divergence = (torch::log(kPriorScale / scale) + scale / kPriorScale * torch::exp(-distance / scale) +
                             distance / kPriorScale - 1)
                                .sum();
    return -((1 + options.extra_reconstructions) * log_likelihood_of(records, outputs) - divergence) /
           static_cast<double>(kBatch);
  }

  torch::Tensor log_likelihood_of(const torch::Tensor& records, const torch::Tensor& outputs) const {
    switch (options.likelihood) {
      case Likelihood::kBernoulli:
        return -torch::binary_cross_entropy_with_logits(outputs, records, {}, {}, at::Reduction::Sum);
      case Likelihood::kGaussian:
        return -0.5 * (records - outputs).square().sum();
      case Likelihood::kLogitGaussian:
        return -0.5 * (torch::logit(records, 0.5 / 255) - outputs).square().sum();
    }
    return {};
  }
};

std::vector<float> flat(const std::vector<torch::Tensor>& tensors, bool gradients) {
  std::vector<float> values;
  for (const torch::Tensor& leaf : tensors) {
    const auto part = (gradients ? leaf.grad() : leaf.detach()).contiguous();
    values.insert(values.end(), part.data_ptr<float>(), part.data_ptr<float>() + part.numel());
  }
  return values;
}

void expect_near(std::span<const float> left, std::span<const float> right, float tolerance) {
  ASSERT_EQ(left.size(), right.size());
  float worst = 0;
  for (std::size_t i = 0; i < left.size(); ++i) worst = std::max(worst, std::abs(left[i] - right[i]));
  EXPECT_LE(worst, tolerance);
}

class AgainstLibtorch : public testing::TestWithParam<Likelihood> {};

TEST_P(AgainstLibtorch, LossGradientsAndTwentyStepsOfAdamAgree) {
  VariationalModel model = make_model(GetParam());
  Reference reference(model);
  const auto records = make_records();
  const auto batch = tensor(records, {kBatch, kPixels});
  std::vector<torch::Tensor> leaves = reference.encoder;
  leaves.insert(leaves.end(), reference.decoder.begin(), reference.decoder.end());
  leaves.push_back(reference.log_scale);
  torch::optim::Adam torch_adam(leaves, torch::optim::AdamOptions(5e-4));
  Adam encoder_adam(model.encoder().parameters().size(), {.learning_rate = 5e-4F});
  Adam decoder_adam(model.decoder().parameters().size(), {.learning_rate = 5e-4F});
  Adam scale_adam(1, {.learning_rate = 5e-4F});
  SeededEntropy noise(3);
  VariationalModel::Lap lap;
  for (int step = 0; step < 20; ++step) {
    const Objective objective = model.differentiate(records, kBatch, 1.0F / kBatch, noise, lap);
    torch_adam.zero_grad();
    const auto loss = reference.loss(batch, tensor(lap.noise, {kBatch, 8}));
    loss.backward();
    const double ours = -(2 * objective.reconstruction - objective.divergence) / kBatch;
    ASSERT_NEAR(ours, loss.item<double>(), 1e-3 + 1e-5 * std::abs(ours)) << "step " << step;
    if (step == 0) {
      expect_near(lap.encoder_gradient, flat(reference.encoder, true), 2e-3F);
      expect_near(lap.decoder_gradient, flat(reference.decoder, true), 2e-3F);
      EXPECT_NEAR(lap.scale_gradient[0], reference.log_scale.grad().item<float>(),
                  1e-4F * std::abs(lap.scale_gradient[0]) + 1e-3F);
    }
    torch_adam.step();
    for (Adam* adam : {&encoder_adam, &decoder_adam, &scale_adam}) adam->begin_step();
    encoder_adam.update(0, model.encoder().parameters(), lap.encoder_gradient, {});
    decoder_adam.update(0, model.decoder().parameters(), lap.decoder_gradient, {});
    scale_adam.update(0, {&model.log_scale(), 1}, lap.scale_gradient, {});
  }
}

TEST_P(AgainstLibtorch, AnExportedMechanismComputesWhatLibtorchComputes) {
  for (const auto& hidden : {std::vector<std::size_t>{}, std::vector<std::size_t>{400, 150, 50}}) {
    const VariationalModel model = make_model(GetParam(), hidden);
    const Reference reference(model);
    InputSchema input;
    input.image = ImageShape{1, 28, 28};
    const auto spec = to_mechanism(model, input, std::nullopt, std::int64_t{1} << 16, {}).value_or_throw();
    const Mechanism mechanism = Mechanism::from_bytes(Mechanism::make(spec).value_or_throw().bytes()).value_or_throw();
    const auto records = make_records();
    std::vector<float> encodings(kBatch * 8), decodings(kBatch * kPixels);
    Network::Workspace workspace;
    mechanism.spec().encoder.encode(records, kBatch, encodings, workspace);
    mechanism.spec().decoder->network.encode(encodings, kBatch, decodings, workspace);
    const auto encoded = Reference::run(reference.encoder, tensor(records, {kBatch, kPixels}));
    const auto decoded = Reference::run(reference.decoder, encoded);
    expect_near(encodings, flat({encoded}, false), 1e-5F);
    expect_near(decodings, flat({decoded}, false), 1e-5F);
  }
}

// Images in libtorch come channel by channel, here pixel by pixel.
torch::Tensor by_pixels(const torch::Tensor& images) { return images.permute({0, 2, 3, 1}).contiguous(); }

TEST(ImagesAgainstLibtorch, ConvolutionsOfNormalisedBatchesAgree) {
  constexpr std::int64_t kImages = 16;
  TrainableNetwork network(2 * 9 * 8, {{6, Activation::kRelu, Patches{2, 9, 8, 5, 2, 2, Patches::Order::kPlanes}, true},
                                       {7, Activation::kElu, Patches{6, 5, 4, 3, 1, 1}, true},
                                       {10, Activation::kRelu, std::nullopt, true},
                                       {3, Activation::kNone}});
  SeededEntropy entropy(7);
  network.initialise(entropy);
  for (float& parameter : network.parameters()) parameter += 0.2F * draw_uniform(entropy);
  std::vector<float> images(kImages * network.inputs());
  for (float& value : images) value = 2 * draw_uniform(entropy) - 1;
  std::vector<float> slopes(kImages * 3);
  for (float& value : slopes) value = 2 * draw_uniform(entropy) - 1;

  std::vector<torch::Tensor> leaves;
  std::size_t place = 0;
  const auto take = [&](std::vector<std::int64_t> shape) {
    const auto count =
        static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
    leaves.push_back(tensor(network.parameters().subspan(place, count), shape).requires_grad_(true));
    place += count;
    return leaves.back();
  };
  const auto normalise = [&](const torch::Tensor& x, std::int64_t channels) {
    const auto shift = take({channels}), scale = take({channels});
    return torch::batch_norm(x, scale, shift, {}, {}, true, 0.1, 1e-5, false);
  };
  auto x = tensor(images, {kImages, 2, 9, 8});
  x = torch::conv2d(x, take({6, 5, 5, 2}).permute({0, 3, 1, 2}), {}, 2, 2);
  x = torch::relu(normalise(x, 6));
  x = torch::conv2d(x, take({7, 3, 3, 6}).permute({0, 3, 1, 2}), {}, 1, 1);
  x = torch::elu(normalise(x, 7));
  x = torch::linear(by_pixels(x).reshape({kImages, 5 * 4 * 7}), take({10, 5 * 4 * 7}));
  x = torch::relu(normalise(x, 10));
  const auto weight = take({3, 10}), bias = take({3});
  x = torch::linear(x, weight, bias);
  ASSERT_EQ(place, network.parameters().size());
  (x * tensor(slopes, {kImages, 3})).sum().backward();

  TrainableNetwork::Pass pass;
  expect_near(network.forward(images, kImages, pass), flat({x}, false), 2e-5F);
  std::vector<float> gradient(network.parameters().size());
  network.backward(slopes, pass, gradient, {});
  expect_near(gradient, flat(leaves, true), 2e-4F);
}

TEST(ImagesAgainstLibtorch, ADevicePoolsAndAddsAsLibtorchDoes) {
  constexpr std::size_t kImages = 3;
  SeededEntropy entropy(8);
  std::vector<float> images(kImages * 4 * 7 * 6);
  for (float& value : images) value = 2 * draw_uniform(entropy) - 1;
  const auto reference = tensor(images, {kImages, 7, 6, 4}).permute({0, 3, 1, 2});
  const auto pooled = [&](PoolingLayer::Kind kind) {
    const PoolingLayer pool{{4, 7, 6, 3, 1, 1}, kind};
    const Network network =
        Network::make(4 * 7 * 6, {pool, pool, ResidualLayer{0, 4 * 7 * 6, Activation::kTanh}}).value_or_throw();
    std::vector<float> output(images.size());
    Network::Workspace workspace;
    network.encode(images, kImages, output, workspace);
    return output;
  };
  const auto most = [](const torch::Tensor& x) { return torch::max_pool2d(x, 3, 1, 1); };
  const auto mean = [](const torch::Tensor& x) { return torch::avg_pool2d(x, 3, 1, 1, false, false); };
  expect_near(pooled(PoolingLayer::Kind::kMax),
              flat({by_pixels(torch::tanh(most(reference) + most(most(reference))))}, false), 1e-5F);
  expect_near(pooled(PoolingLayer::Kind::kMean),
              flat({by_pixels(torch::tanh(mean(reference) + mean(mean(reference))))}, false), 1e-5F);
}

INSTANTIATE_TEST_SUITE_P(FusedStep, AgainstLibtorch,
                         testing::Values(Likelihood::kBernoulli, Likelihood::kGaussian, Likelihood::kLogitGaussian));

}  // namespace
}  // namespace sotto
