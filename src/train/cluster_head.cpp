#include "sotto/train/cluster_head.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sotto/backprop/minibatches.h"
#include "sotto/backprop/softmax.h"
#include "sotto/backprop/trainable_network.h"
#include "sotto/cluster/clusters.h"
#include "sotto/cluster/merging.h"
#include "sotto/data/permutation.h"
#include "sotto/train/agreement_loss.h"

namespace sotto {
namespace {

struct LaneMemory {
  TrainableNetwork::Pass pass;
  std::vector<float> inputs, output_gradient, gradient;
  AgreementMemory agreement;
};

// The group of each view: that of the fine cluster it is nearest to in direction.
struct Groups {
  std::size_t count;
  std::vector<std::uint32_t> of_view;
  std::vector<float> directions;  // the mean of each group's members, at length 1
};

Groups find_groups(const ViewFeatures& views, std::span<const float> features, const ClusterHeadOptions& options) {
  const std::size_t width = views.width();
  const Clusters fine =
      find_clusters(features, width,
                    {.count = std::max(options.codes, std::min(options.finer * options.codes, options.finest)),
                     .spherical = true,
                     .seed = options.seed});
  // Centroids are of length 1, so that the length of a view does not matter to which is nearest.
  std::vector<std::uint32_t> of_view = nearest_centroids(views.values(), width, fine.centroids);
  std::vector<double> joint(fine.size() * fine.size(), 0);
  for (std::size_t i = 0; i < of_view.size(); i += 2) joint[of_view[i] * fine.size() + of_view[i + 1]] += 1;
  const auto group_of = merge_clusters(std::move(joint), fine.size(), options.codes);
  Groups groups{std::min(options.codes, fine.size()), std::move(of_view), {}};
  groups.directions.assign(groups.count * width, 0);
  const auto sizes = fine.sizes();
  for (std::size_t i = 0; i < fine.centroids.size(); ++i)
    groups.directions[group_of[i / width] * width + i % width] +=
        static_cast<float>(sizes[i / width]) * fine.centroids[i];
  normalise_rows(groups.directions, width);
  for (std::uint32_t& view : groups.of_view) view = group_of[view];
  return groups;
}

// Cross-entropy of what the head says of a pair of views and of their groups.
void teach_groups(std::span<const float> logits, const Groups& groups, std::span<const std::uint32_t> pairs,
                  float weight, std::vector<float>& gradient) {
  gradient.assign(logits.begin(), logits.end());
  soft_max_rows(gradient, groups.count);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const std::size_t view : {0UL, 1UL})
      gradient[(view * pairs.size() + i) * groups.count + groups.of_view[2 * pairs[i] + view]] -= 1;
  for (float& slope : gradient) slope *= weight / 2;
}

// The head while it is trained, on minibatches of pairs of views.
class HeadTrainer {
 public:
  HeadTrainer(const ViewFeatures& views, const Groups& groups, const ClusterHeadOptions& options)
      : views_(views),
        options_(options),
        head_(views.width(), {{groups.count, Activation::kNone}}),
        adam_(head_.parameters().size(), {.learning_rate = options.learning_rate}) {
    constexpr float kSharpness = 10;  // of the first soft codes: they are to be moved, not found
    std::ranges::transform(groups.directions, head_.first_layer().weights.begin(),
                           [](float value) { return kSharpness * value; });
  }

  // `objective` writes the gradient of the head's output for (logits, pairs, weight of a pair, memory).
  template <typename Objective>
  void run(std::size_t steps, const Objective& objective) {
    const std::array learnt{ParameterGroup{&adam_, head_.parameters(), {&lanes_[0].gradient, &lanes_[1].gradient}}};
    const std::size_t steps_an_epoch = (views_.pairs() + options_.batch - 1) / options_.batch;
    const std::size_t last_epoch = epoch_ + (steps + steps_an_epoch - 1) / steps_an_epoch;
    for (; epoch_ < last_epoch; ++epoch_)
      minibatch_epoch(permutation(static_cast<std::uint32_t>(views_.pairs()), options_.seed + epoch_), options_.batch,
                      learnt, [&](std::size_t lane, std::span<const std::uint32_t> pairs, float weight) {
                        LaneMemory& memory = lanes_[lane];
                        if (pairs.empty()) {
                          std::ranges::fill(memory.gradient, 0.0F);
                          return;
                        }
                        views_.gather(pairs, memory.inputs);
                        const auto logits = head_.forward(memory.inputs, 2 * pairs.size(), memory.pass);
                        memory.output_gradient.resize(logits.size());
                        objective(logits, pairs, weight, memory);
                        head_.backward(memory.output_gradient, memory.pass, memory.gradient, {});
                      });
  }

  LinearRule rule() {
    const auto layer = head_.first_layer();
    std::vector<float> weights(layer.weights.begin(), layer.weights.end());
    for (float& weight : weights) weight *= views_.scale();
    return rule_of_scores(weights, layer.bias);
  }

 private:
  const ViewFeatures& views_;
  const ClusterHeadOptions& options_;
  TrainableNetwork head_;
  Adam adam_;
  std::array<LaneMemory, kLanes> lanes_;
  std::size_t epoch_ = 0;
};

bool uses_every_code(const LinearRule& rule, std::span<const float> features, std::size_t width) {
  const auto code_of = nearest_centroids(features, width, rule.centroids, rule.offsets);
  std::vector<bool> used(rule.centroids.size() / width, false);
  for (const std::uint32_t code : code_of) used[code] = true;
  return std::ranges::find(used, false) == used.end();
}

}  // namespace

LinearRule train_cluster_head(const ViewFeatures& views, std::span<const float> features,
                              const ClusterHeadOptions& options) {
  const Groups groups = find_groups(views, features, options);
  HeadTrainer trainer(views, groups, options);
  trainer.run(options.first_steps, [&](auto logits, auto pairs, float weight, LaneMemory& memory) {
    teach_groups(logits, groups, pairs, weight, memory.output_gradient);
  });
  LinearRule taught = trainer.rule();
  trainer.run(options.steps, [&](auto logits, auto pairs, float weight, LaneMemory& memory) {
    agreement_loss(logits, groups.count, weight * static_cast<float>(pairs.size()), memory.agreement,
                   memory.output_gradient);
  });
  LinearRule moved = trainer.rule();
  if (uses_every_code(moved, features, views.width())) return moved;
  // Of few records, agreement may squeeze a code out, and so may teaching.
  if (uses_every_code(taught, features, views.width())) return taught;
  return {find_clusters(features, views.width(), {.count = groups.count, .spherical = true, .seed = options.seed})
              .centroids,
          {}};
}

}  // namespace sotto
