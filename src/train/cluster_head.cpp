#include "sotto/train/cluster_head.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sotto/backprop/minibatches.h"
#include "sotto/backprop/trainable_network.h"
#include "sotto/cluster/clusters.h"
#include "sotto/data/permutation.h"
#include "sotto/train/agreement_loss.h"
#include "sotto/train/code_assignment.h"

namespace sotto {
namespace {

// Features of two views of every record, drawn `drawings` times: pairs lie next to each other.
class ViewFeatures {
 public:
  ViewFeatures(const Network& encoder, std::size_t records, std::array<std::unique_ptr<Views>, kLanes> views,
               const ClusterHeadOptions& options)
      : width_(encoder.output_width()), values_(options.drawings * records * 2 * encoder.output_width()) {
    constexpr std::size_t kBlock = 256;  // records whose views are encoded at a time
    run_lanes([&](Lane& lane) {
      SeededEntropy entropy(kLanes * options.seed + lane.index());
      Network::Workspace workspace;
      std::vector<float> drawn, encoded;
      std::vector<std::uint32_t> rows;
      const auto part = lane.part_of(options.drawings * records);
      for (std::size_t begin = part.begin; begin < part.end; begin += kBlock) {
        const std::size_t count = std::min(kBlock, part.end - begin);
        rows.clear();
        for (std::size_t i = begin; i < begin + count; ++i) rows.push_back(static_cast<std::uint32_t>(i % records));
        drawn.resize(2 * count * encoder.input_width());
        encoded.resize(2 * count * width_);
        views[lane.index()]->draw(rows, entropy, drawn);
        encoder.encode(drawn, 2 * count, encoded, workspace);
        for (std::size_t i = 0; i < count; ++i)
          for (const std::size_t view : {0UL, 1UL})
            std::copy_n(encoded.begin() + static_cast<std::ptrdiff_t>((view * count + i) * width_), width_,
                        values_.begin() + static_cast<std::ptrdiff_t>((2 * (begin + i) + view) * width_));
      }
    });
    double squares = 0;
    for (const float value : values_) squares += static_cast<double>(value) * static_cast<double>(value);
    const auto rows = static_cast<double>(values_.size()) / static_cast<double>(width_);
    scale_ = squares > 0 ? static_cast<float>(std::sqrt(rows / squares)) : 1;
    for (float& value : values_) value *= scale_;
  }

  std::size_t pairs() const { return values_.size() / width_ / 2; }
  float scale() const { return scale_; }  // which brings features to length 1 in the mean square

  // First views of the named pairs, then second ones.
  void gather(std::span<const std::uint32_t> pairs, std::vector<float>& gathered) const {
    gathered.resize(2 * pairs.size() * width_);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      for (const std::size_t view : {0UL, 1UL})
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>((2 * pairs[i] + view) * width_), width_,
                    gathered.begin() + static_cast<std::ptrdiff_t>((view * pairs.size() + i) * width_));
  }

 private:
  std::size_t width_;
  std::vector<float> values_;
  float scale_ = 1;
};

struct LaneMemory {
  TrainableNetwork::Pass pass;
  std::vector<float> inputs, output_gradient, gradient;
  AgreementMemory agreement;
};

}  // namespace

Result<LinearRule> train_cluster_head(const Network& encoder, const Dataset& auxiliary, const InputSchema& input,
                                      const ViewOptions& views, const ClusterHeadOptions& options) {
  if (!input.image) return refuse("clusters: a head needs views that are records, which images have");
  std::array<std::unique_ptr<Views>, kLanes> drawn_from;
  for (auto& lane : drawn_from) {
    auto made = make_views(auxiliary, input, views);
    if (!made) return made.error();
    lane = std::move(*made);
  }
  const ViewFeatures features(encoder, auxiliary.rows, std::move(drawn_from), options);
  const std::size_t width = encoder.output_width();
  const Clusters clusters =
      find_clusters(features_of(encoder, auxiliary), width,
                    {.count = options.codes, .restarts = options.restarts, .spherical = true, .seed = options.seed});
  constexpr float kSharpness = 10;  // of the first soft codes: they are to be moved, not found
  TrainableNetwork head(width, {{clusters.size(), Activation::kNone}});
  const auto layer = head.first_layer();
  std::ranges::transform(clusters.centroids, layer.weights.begin(), [](float value) { return kSharpness * value; });
  Adam adam(head.parameters().size(), {.learning_rate = options.learning_rate});
  std::array<LaneMemory, kLanes> lanes;
  const std::array groups{ParameterGroup{&adam, head.parameters(), {&lanes[0].gradient, &lanes[1].gradient}}};
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch)
    minibatch_epoch(permutation(static_cast<std::uint32_t>(features.pairs()), options.seed + epoch), options.batch,
                    groups, [&](std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
                      LaneMemory& memory = lanes[lane];
                      if (rows.empty()) {
                        std::ranges::fill(memory.gradient, 0.0F);
                        return;
                      }
                      features.gather(rows, memory.inputs);
                      const auto logits = head.forward(memory.inputs, 2 * rows.size(), memory.pass);
                      memory.output_gradient.resize(logits.size());
                      agreement_loss(logits, clusters.size(), weight * static_cast<float>(rows.size()),
                                     memory.agreement, memory.output_gradient);
                      head.backward(memory.output_gradient, memory.pass, memory.gradient, {});
                    });
  for (float& weight : layer.weights) weight *= features.scale();
  return rule_of_scores(layer.weights, layer.bias);
}

}  // namespace sotto
