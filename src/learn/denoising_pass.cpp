#include "sotto/learn/denoising_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sotto/backprop/lanes.h"
#include "sotto/learn/aligned_floats.h"
#include "sotto/learn/row_products.h"

namespace sotto {
namespace {

// The weights of so few rows stay in a near cache until they are needed again.
constexpr std::size_t kRowsThatSuffice = 4;
// Points are taken in tiles of this many, whose distances stay in the nearest one. Each report has a scale in each
// tile, for it is not known yet what its largest weight will be. An odd number of cache lines, lest rows evict one
// another.
constexpr std::size_t kTile = 1008;

std::vector<Stretch> tiles_of(std::size_t points) {
  std::vector<Stretch> tiles;
  for (std::size_t begin = 0; begin < points; begin += kTile) tiles.push_back({begin, std::min(kTile, points - begin)});
  return tiles;
}

// Reports that follow one another and have the same noisy label. For each of them the sum over labels is the same
// function of the point, so that it need not be taken report by report.
struct Block {
  Stretch reports;
  std::size_t label;
};

std::vector<Block> blocks_of(std::span<const std::int32_t> noisy_labels, std::size_t rows) {
  std::vector<Block> blocks;
  for (std::size_t n = 0; n < noisy_labels.size(); ++n) {
    const auto label = static_cast<std::size_t>(noisy_labels[n]);
    if (blocks.empty() || blocks.back().label != label || blocks.back().reports.count == rows)
      blocks.push_back({{n, 0}, label});
    ++blocks.back().reports.count;
  }
  return blocks;
}

using Columns = std::vector<AlignedFloats>;  // for each noisy label, a number for each point

struct Share {  // of one lane
  double log_likelihood = 0;
  Columns gradient;  // with respect to the likelihood of the noisy label at each point
};

class BlockPass {
 public:
  BlockPass(const ReportLikelihood& likelihood, const Columns& columns, std::size_t rows)
      : likelihood_(likelihood),
        columns_(columns),
        rows_(rows),
        tiles_(tiles_of(likelihood.points())),
        weights_(rows * likelihood.points()),
        log_scales_(tiles_.size() * rows),
        sums_(tiles_.size() * rows) {}

  void add(const Block& block, Share& share) {
    const std::size_t count = block.reports.count;
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
      likelihood_.weigh(block.reports, tiles_[tile], weights(tile, count), of_tile(log_scales_, tile));
      sum_over_points({weights(tile, count), count, tiles_[tile].count},
                      points_of(std::span(columns_[block.label]), tile), of_tile(sums_, tile));
    }
    for (std::size_t row = 0; row < count; ++row) share.log_likelihood += divide(row);
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile)
      add_over_reports({weights(tile, count), count, tiles_[tile].count}, of_tile(sums_, tile),
                       points_of(std::span(share.gradient[block.label]), tile));
  }

 private:
  std::span<float> weights(std::size_t tile, std::size_t count) {
    return std::span(weights_).subspan(tiles_[tile].begin * rows_, tiles_[tile].count * count);
  }
  template <class Value>
  std::span<Value> of_tile(std::vector<Value>& values, std::size_t tile) const {
    return std::span(values).subspan(tile * rows_, rows_);
  }
  template <class Value>
  std::span<Value> points_of(std::span<Value> column, std::size_t tile) const {
    return column.subspan(tiles_[tile].begin, tiles_[tile].count);
  }

  // Turns a report's sums over the points of each tile into its factor of the gradient there, 1 / p(report) in units of
  // the tile's scale. Returns log p(report).
  double divide(std::size_t row) {
    double largest = log_scales_[row];
    for (std::size_t tile = 1; tile < tiles_.size(); ++tile)
      largest = std::max(largest, log_scales_[tile * rows_ + row]);
    double total = 0;
    for (std::size_t i = row; i < sums_.size(); i += rows_) {
      log_scales_[i] = std::exp(log_scales_[i] - largest);
      total += log_scales_[i] * static_cast<double>(sums_[i]);
    }
    // Nothing explains the report to within a float's range, or nearly nothing, so that a float could not hold its
    // factors: it has no say.
    const bool hopeless = !(total >= static_cast<double>(std::numeric_limits<float>::min()));
    for (std::size_t i = row; i < sums_.size(); i += rows_)
      sums_[i] = hopeless ? 0 : static_cast<float>(log_scales_[i] / total);
    return hopeless ? largest : largest + std::log(total);
  }

  const ReportLikelihood& likelihood_;
  const Columns& columns_;
  std::size_t rows_;
  std::vector<Stretch> tiles_;
  AlignedFloats weights_;           // tile by tile, reports × points
  std::vector<double> log_scales_;  // tiles × reports
  std::vector<float> sums_;         // tiles × reports
};

// Σ_y p(noisy | y) · J(m, y), by noisy label and point m.
Columns likelihoods_of_noisy_labels(std::span<const float> joint, const LabelNoise& noise) {
  const std::size_t points = joint.size() / noise.classes;
  Columns columns(noise.classes, AlignedFloats(points));
  for (std::size_t noisy = 0; noisy < noise.classes; ++noisy) {
    const auto given = noise.given_noisy(noisy);
    for (std::size_t m = 0; m < points; ++m)
      for (std::size_t y = 0; y < noise.classes; ++y) columns[noisy][m] += given[y] * joint[m * noise.classes + y];
  }
  return columns;
}

// The chain rule for the above.
std::vector<float> gradient_of_joint(const std::array<Share, kLanes>& shares, const LabelNoise& noise,
                                     std::size_t points, float each) {
  std::vector<float> gradient(points * noise.classes, 0);
  for (const Share& share : shares)
    for (std::size_t noisy = 0; noisy < noise.classes; ++noisy) {
      const auto given = noise.given_noisy(noisy);
      for (std::size_t m = 0; m < points; ++m)
        for (std::size_t y = 0; y < noise.classes; ++y)
          gradient[m * noise.classes + y] += each * given[y] * share.gradient[noisy][m];
    }
  return gradient;
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
  const Columns columns = likelihoods_of_noisy_labels(joint, noise);
  const std::vector<Block> blocks = blocks_of(noisy_labels, rows);
  std::array<Share, kLanes> shares;
  run_lanes([&](Lane& lane) {
    Share& share = shares[lane.index()];
    share.gradient.assign(noise.classes, AlignedFloats(likelihood.points()));
    BlockPass pass(likelihood, columns, rows);
    const auto part = lane.part_of(blocks.size());
    for (std::size_t i = part.begin; i < part.end; ++i) pass.add(blocks[i], share);
  });
  DenoisingPassResult result;
  const double each = 1 / static_cast<double>(likelihood.reports());
  result.log_likelihood = each * (shares[0].log_likelihood + shares[1].log_likelihood);
  result.gradient = gradient_of_joint(shares, noise, likelihood.points(), static_cast<float>(each));
  return result;
}

}  // namespace sotto
