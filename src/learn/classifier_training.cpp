#include "sotto/learn/classifier_training.h"

#include <algorithm>
#include <cmath>

#include "sotto/backprop/softmax.h"
#include "sotto/data/permutation.h"

namespace sotto {
namespace {

float sum_of(std::span<const float> row) {
  float sum = 0;
  for (const float value : row) sum += value;
  return sum;
}

float dot(std::span<const float> left, std::span<const float> right) {
  float sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
  return sum;
}

// d loss / d logits. For likelihoods: p − the posterior; for counts: (their sum)·p − the counts.
void to_gradient(std::span<float> probabilities, std::span<const float> target, Targets kind, float weight) {
  const float total = kind == Targets::kCounts ? sum_of(target) : 1;
  const float evidence = kind == Targets::kCounts ? 1 : std::max(dot(probabilities, target), 1e-30F);
  for (std::size_t y = 0; y < target.size(); ++y) {
    const float explained = kind == Targets::kCounts ? target[y] : target[y] * probabilities[y] / evidence;
    probabilities[y] = weight * (total * probabilities[y] - explained);
  }
}

constexpr std::size_t kBlock = 512;

}  // namespace

std::vector<float> class_probabilities(const TrainableNetwork& network, std::span<const float> inputs,
                                       std::size_t count) {
  std::vector<float> probabilities(count * network.outputs());
  run_lanes([&](Lane& lane) {
    TrainableNetwork::Pass pass;
    const auto part = lane.part_of(count);
    for (std::size_t row = part.begin; row < part.end; row += kBlock) {
      const std::size_t rows = std::min(kBlock, part.end - row);
      const auto logits = network.forward(inputs.subspan(row * network.inputs(), rows * network.inputs()), rows, pass);
      const auto block = std::span(probabilities).subspan(row * network.outputs(), logits.size());
      std::copy(logits.begin(), logits.end(), block.begin());
      soft_max_rows(block, network.outputs());
    }
  });
  return probabilities;
}

double mean_loss(const TrainableNetwork& network, std::span<const float> inputs, std::span<const float> targets,
                 Targets kind) {
  const std::size_t classes = network.outputs(), count = targets.size() / classes;
  const auto probabilities = class_probabilities(network, inputs, count);
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); i += classes) {
    const auto row = std::span(probabilities).subspan(i, classes);
    const auto target = targets.subspan(i, classes);
    if (kind == Targets::kLikelihoods)
      sum -= std::log(std::max(static_cast<double>(dot(row, target)), 1e-300));
    else
      for (std::size_t y = 0; y < classes; ++y)
        sum -= static_cast<double>(target[y]) * std::log(std::max(static_cast<double>(row[y]), 1e-300));
  }
  return sum / static_cast<double>(count);
}

ClassifierTrainer::ClassifierTrainer(TrainableNetwork& network, const Options& options)
    : network_(network),
      options_(options),
      adam_(network.parameters().size(),
            {.learning_rate = options.learning_rate, .weight_decay = options.weight_decay}) {}

void ClassifierTrainer::run_epoch(std::span<const float> inputs, std::span<const float> targets, Targets kind) {
  const std::size_t count = targets.size() / network_.outputs();
  const auto order = permutation(static_cast<std::uint32_t>(count), options_.seed + epochs_++);
  const std::array groups{ParameterGroup{&adam_, network_.parameters(), {&lanes_[0].gradient, &lanes_[1].gradient}}};
  minibatch_epoch(order, options_.batch, groups,
                  [&](std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
                    differentiate(lane, rows, weight, inputs, targets, kind);
                  });
}

void ClassifierTrainer::differentiate(std::size_t lane, std::span<const std::uint32_t> rows, float weight,
                                      std::span<const float> inputs, std::span<const float> targets, Targets kind) {
  LaneMemory& memory = lanes_[lane];
  if (rows.empty()) {
    std::fill(memory.gradient.begin(), memory.gradient.end(), 0.0F);
    return;
  }
  const std::size_t classes = network_.outputs();
  gather_rows(inputs, network_.inputs(), rows, memory.inputs);
  const auto logits = network_.forward(memory.inputs, rows.size(), memory.pass);
  memory.output_gradient.assign(logits.begin(), logits.end());
  soft_max_rows(memory.output_gradient, classes);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = std::span(memory.output_gradient).subspan(i * classes, classes);
    to_gradient(row, targets.subspan(rows[i] * classes, classes), kind, weight);
  }
  network_.backward(memory.output_gradient, memory.pass, memory.gradient, {});
}

}  // namespace sotto
