#include "sotto/learn/denoising_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sotto/backprop/lanes.h"
#include "sotto/learn/aligned_floats.h"
#include "sotto/learn/class_products.h"

namespace sotto {
namespace {

// More rows than this gain nothing: the weights of a block would outgrow the caches.
constexpr std::size_t kRowsThatSuffice = 32;
// Points are taken in tiles of this many, whose weights stay in a near cache until they are summed. Each report has a
// scale in each tile, for it is not known yet what its largest weight will be. An odd number of cache lines, lest rows
// evict one another.
constexpr std::size_t kTile = 1008;

std::vector<Stretch> tiles_of(std::size_t points) {
  std::vector<Stretch> tiles;
  for (std::size_t begin = 0; begin < points; begin += kTile) tiles.push_back({begin, std::min(kTile, points - begin)});
  return tiles;
}

struct Share {  // of one lane
  double log_likelihood = 0;
  AlignedFloats gradient;  // tile by tile, classes × points
};

// Works class by class: points, which are many, lie along the vectors.
class BlockPass {
 public:
  BlockPass(const ReportLikelihood& likelihood, std::span<const std::int32_t> noisy_labels, const LabelNoise& noise,
            std::span<const float> joint, std::size_t rows)
      : likelihood_(likelihood),
        labels_(noisy_labels),
        noise_(noise),
        joint_(joint),
        rows_(rows),
        tiles_(tiles_of(likelihood.points())),
        weights_(rows * likelihood.points()),
        log_scales_(tiles_.size() * rows),
        sums_(tiles_.size() * rows * noise.classes) {}

  void add(std::size_t begin, std::size_t count, Share& share) {
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
      likelihood_.weigh({begin, count}, tiles_[tile], weights(tile, count), log_scales(tile));
      sum_over_points({weights(tile, count), count, tiles_[tile].count}, of_tile(joint_, tile), sums(tile, count));
    }
    for (std::size_t row = 0; row < count; ++row) share.log_likelihood += divide(begin + row, row);
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile)
      add_over_reports({weights(tile, count), count, tiles_[tile].count}, sums(tile, count),
                       of_tile(std::span(share.gradient), tile));
  }

 private:
  std::span<float> weights(std::size_t tile, std::size_t count) {
    return std::span(weights_).subspan(tiles_[tile].begin * rows_, tiles_[tile].count * count);
  }
  std::span<double> log_scales(std::size_t tile) { return std::span(log_scales_).subspan(tile * rows_, rows_); }
  std::span<float> sums(std::size_t tile, std::size_t count) {
    return std::span(sums_).subspan(tile * rows_ * noise_.classes, count * noise_.classes);
  }
  float& at(std::size_t tile, std::size_t row, std::size_t y) {
    return sums_[(tile * rows_ + row) * noise_.classes + y];
  }
  template <class Value>
  std::span<Value> of_tile(std::span<Value> values, std::size_t tile) const {
    return values.subspan(tiles_[tile].begin * noise_.classes, tiles_[tile].count * noise_.classes);
  }

  // Turns a report's sums over the points of each tile into its factors of the gradient there, p(noisy | y) / p(report)
  // in units of the tile's scale. Returns log p(report).
  double divide(std::size_t report, std::size_t row) {
    const auto given = noise_.given_noisy(static_cast<std::size_t>(labels_[report]));
    double largest = log_scales_[row];
    for (std::size_t tile = 1; tile < tiles_.size(); ++tile) largest = std::max(largest, log_scales(tile)[row]);
    double total = 0;
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
      double& scale = log_scales(tile)[row];
      scale = std::exp(scale - largest);
      for (std::size_t y = 0; y < given.size(); ++y) total += scale * static_cast<double>(given[y] * at(tile, row, y));
    }
    // Nothing explains the report to within a float's range, or nearly nothing, so that a float could not hold its
    // factors: it has no say.
    const bool hopeless = !(total >= static_cast<double>(std::numeric_limits<float>::min()));
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
      const double scale = hopeless ? 0 : log_scales(tile)[row] / total;
      for (std::size_t y = 0; y < given.size(); ++y)
        at(tile, row, y) = static_cast<float>(scale * static_cast<double>(given[y]));
    }
    return hopeless ? largest : largest + std::log(total);
  }

  const ReportLikelihood& likelihood_;
  std::span<const std::int32_t> labels_;
  const LabelNoise& noise_;
  std::span<const float> joint_;  // tile by tile, classes × points
  std::size_t rows_;
  std::vector<Stretch> tiles_;
  AlignedFloats weights_;           // tile by tile, reports × points
  std::vector<double> log_scales_;  // tiles × reports
  std::vector<float> sums_;         // tiles × reports × classes
};

// What was points × classes becomes, tile by tile, classes × points.
AlignedFloats into_tiles(std::span<const float> by_point, std::size_t points) {
  const std::size_t classes = by_point.size() / points;
  AlignedFloats tiled(by_point.size());
  for (const Stretch& tile : tiles_of(points))
    for (std::size_t m = 0; m < tile.count; ++m)
      for (std::size_t y = 0; y < classes; ++y)
        tiled[tile.begin * classes + y * tile.count + m] = by_point[(tile.begin + m) * classes + y];
  return tiled;
}

std::vector<float> out_of_tiles(std::span<const float> tiled, std::size_t points) {
  const std::size_t classes = tiled.size() / points;
  std::vector<float> by_point(tiled.size());
  for (const Stretch& tile : tiles_of(points))
    for (std::size_t m = 0; m < tile.count; ++m)
      for (std::size_t y = 0; y < classes; ++y)
        by_point[(tile.begin + m) * classes + y] = tiled[tile.begin * classes + y * tile.count + m];
  return by_point;
}

}  // namespace

LabelNoise label_noise_of(const Channel& label_channel, std::size_t classes) {
  LabelNoise noise{classes, std::vector<float>(classes * classes)};
  for (std::size_t noisy = 0; noisy < classes; ++noisy)
    for (std::size_t label = 0; label < classes; ++label) {
      const std::int64_t report = static_cast<std::int64_t>(noisy), point = static_cast<std::int64_t>(label);
      noise.probability[noisy * classes + label] =
          static_cast<float>(std::exp(label_channel.log_likelihood({&report, 1}, {&point, 1})));
    }
  return noise;
}

LabelNoise no_label_noise(std::size_t classes) {
  LabelNoise noise{classes, std::vector<float>(classes * classes, 0)};
  for (std::size_t label = 0; label < classes; ++label) noise.probability[label * (classes + 1)] = 1;
  return noise;
}

DenoisingPassResult denoising_pass(const ReportLikelihood& likelihood, std::span<const std::int32_t> noisy_labels,
                                   const LabelNoise& noise, std::span<const float> joint, std::size_t memory) {
  const std::size_t row_bytes = likelihood.points() * sizeof(float) * kLanes;
  const std::size_t rows = std::clamp<std::size_t>(memory / std::max<std::size_t>(row_bytes, 1), 1, kRowsThatSuffice);
  const AlignedFloats tiled = into_tiles(joint, likelihood.points());
  std::array<Share, kLanes> shares;
  run_lanes([&](Lane& lane) {
    Share& share = shares[lane.index()];
    share.gradient.assign(joint.size(), 0);
    BlockPass pass(likelihood, noisy_labels, noise, tiled, rows);
    const auto part = lane.part_of(likelihood.reports());
    for (std::size_t begin = part.begin; begin < part.end; begin += rows)
      pass.add(begin, std::min(rows, part.end - begin), share);
  });
  DenoisingPassResult result;
  const double each = 1 / static_cast<double>(likelihood.reports());
  result.log_likelihood = each * (shares[0].log_likelihood + shares[1].log_likelihood);
  for (std::size_t i = 0; i < joint.size(); ++i)
    shares[0].gradient[i] = static_cast<float>(each) * (shares[0].gradient[i] + shares[1].gradient[i]);
  result.gradient = out_of_tiles(shares[0].gradient, likelihood.points());
  return result;
}

}  // namespace sotto
