#include "sotto/train/aligned_training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "sotto/backprop/minibatches.h"
#include "sotto/backprop/random.h"
#include "sotto/data/permutation.h"
#include "sotto/train/l1_projection.h"

namespace sotto {
namespace {

class AlignedTrainer {
 public:
  AlignedTrainer(const Dataset& auxiliary, std::span<const std::uint32_t> codes_of_records, std::size_t codes,
                 const AlignedTrainingOptions& options, TrainableNetwork& encoder)
      : auxiliary_(auxiliary),
        codes_of_records_(codes_of_records),
        options_(options),
        encoder_(encoder),
        adam_(encoder.parameters().size(), {.learning_rate = options.learning_rate}) {
    for (std::size_t code = 0; code < codes; ++code)
      vertices_.push_back(vertex_of(code, options.dimension, options.l1_radius));
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes_[lane].entropy = std::make_unique<SeededEntropy>(kLanes * options.seed + lane);
  }

  double run_epoch(std::size_t epoch) {
    const auto order = permutation(static_cast<std::uint32_t>(auxiliary_.rows), options_.seed + epoch);
    const std::array groups{ParameterGroup{&adam_, encoder_.parameters(), {&lanes_[0].gradient, &lanes_[1].gradient}}};
    for (LaneMemory& lane : lanes_) lane.loss = 0;
    minibatch_epoch(order, options_.batch, groups,
                    [&](std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
                      differentiate(lanes_[lane], rows, weight);
                    });
    return (lanes_[0].loss + lanes_[1].loss) / static_cast<double>(order.size() * options_.draws);
  }

 private:
  struct LaneMemory {
    std::unique_ptr<SeededEntropy> entropy;
    TrainableNetwork::Pass pass;
    std::vector<float> records, means, latent_gradient, gradient;
    double loss = 0;
  };

  void differentiate(LaneMemory& lane, std::span<const std::uint32_t> rows, float weight) {
    if (rows.empty()) {
      std::fill(lane.gradient.begin(), lane.gradient.end(), 0.0F);
      return;
    }
    gather_rows(auxiliary_.values, auxiliary_.width, rows, lane.records);
    const auto unbounded = encoder_.forward(lane.records, rows.size(), lane.pass);
    lane.means.assign(unbounded.begin(), unbounded.end());
    project_to_l1_ball(options_.l1_radius, options_.dimension, lane.means);
    lane.latent_gradient.assign(lane.means.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto mean = std::span(lane.means).subspan(i * options_.dimension, options_.dimension);
      const auto gradient = std::span(lane.latent_gradient).subspan(i * options_.dimension, options_.dimension);
      for (std::size_t draw = 0; draw < options_.draws; ++draw)
        lane.loss += pull(mean, codes_of_records_[rows[i]], weight / static_cast<float>(options_.draws), *lane.entropy,
                          gradient);
    }
    chain_l1_projection(options_.l1_radius, options_.dimension, unbounded, lane.latent_gradient);
    encoder_.backward(lane.latent_gradient, lane.pass, lane.gradient, {});
  }

  // The loss of one noisy latent; adds its gradient.
  double pull(std::span<const float> mean, std::uint32_t code, float weight, SeededEntropy& entropy,
              std::span<float> gradient) const {
    const float scale = 2 * options_.l1_radius / options_.epsilon_pretrain;
    std::vector<float> latent(mean.begin(), mean.end()), scores(vertices_.size(), 0);
    for (float& value : latent) value += scale * draw_standard_laplace(entropy);
    for (std::size_t c = 0; c < vertices_.size(); ++c)
      for (std::size_t i = 0; i < latent.size(); ++i) scores[c] -= std::abs(latent[i] - vertices_[c][i]) / scale;
    const float largest = *std::max_element(scores.begin(), scores.end()), right = scores[code];
    float sum = 0;
    for (float& score : scores) sum += score = std::exp(score - largest);
    for (std::size_t c = 0; c < vertices_.size(); ++c) {
      const float slope = weight / scale * ((c == code ? 1.0F : 0.0F) - scores[c] / sum);
      for (std::size_t i = 0; i < latent.size(); ++i) gradient[i] += latent[i] > vertices_[c][i] ? slope : -slope;
    }
    return static_cast<double>(largest + std::log(sum) - right);
  }

  const Dataset& auxiliary_;
  std::span<const std::uint32_t> codes_of_records_;
  const AlignedTrainingOptions& options_;
  TrainableNetwork& encoder_;
  Adam adam_;
  std::vector<std::vector<float>> vertices_;
  std::array<LaneMemory, kLanes> lanes_;
};

}  // namespace

std::vector<float> vertex_of(std::size_t code, std::size_t dimension, float l1_radius) {
  std::vector<float> vertex(dimension, 0);
  vertex[code / 2] = code % 2 == 0 ? l1_radius : -l1_radius;
  return vertex;
}

Result<Network> train_aligned(const Dataset& auxiliary, std::span<const std::uint32_t> code_of_record,
                              std::size_t codes, const AlignedTrainingOptions& options, const LossProgress& progress) {
  if (codes < 2 || codes > 2 * options.dimension)
    return refuse("codes: must lie between 2 and the number of vertices, " + std::to_string(2 * options.dimension) +
                  ", got " + std::to_string(codes));
  if (code_of_record.size() != auxiliary.rows || auxiliary.rows == 0)
    return refuse("codes: expected one for each of " + std::to_string(auxiliary.rows) + " records, got " +
                  std::to_string(code_of_record.size()));
  if (*std::max_element(code_of_record.begin(), code_of_record.end()) >= codes)
    return refuse("codes: a record has one that is not below " + std::to_string(codes));
  if (!(options.l1_radius > 0) || !(options.epsilon_pretrain > 0) || options.draws == 0 || options.epochs == 0 ||
      options.batch == 0)
    return refuse("aligned training: l1_radius, epsilon_pretrain, draws, epochs and batch must be positive");
  TrainableNetwork encoder =
      TrainableNetwork::perceptron(auxiliary.width, options.hidden, options.dimension, Activation::kRelu);
  SeededEntropy entropy(options.seed);
  encoder.initialise(entropy);
  AlignedTrainer trainer(auxiliary, code_of_record, codes, options, encoder);
  run_epochs(trainer, options.epochs, progress);
  return encoder.to_network();
}

}  // namespace sotto
