#include "sotto/learn/label_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto {
namespace {

std::vector<float> joint_of(std::span<const float> code_shares, const LabelTable& table) {
  std::vector<float> joint = table.probability;
  for (std::size_t s = 0; s < joint.size(); ++s) joint[s] *= code_shares[s / table.classes];
  return joint;
}

class TableLearner {
 public:
  TableLearner(const Evidence& evidence, const KnownCodes& codes, std::span<const double> class_shares)
      : evidence_(evidence),
        code_shares_(codes.shares.begin(), codes.shares.end()),
        leanings_(leanings_of(codes.affinities, evidence.codes)),
        class_shares_(class_shares),
        table_{evidence.codes, evidence.classes,
               std::vector<float>(evidence.symbols(), 1 / static_cast<float>(evidence.classes))} {}

  // One round of EM: the expected number of reports of each symbol becomes its new weight.
  void maximise(float pseudo_counts, float neighbour_counts, bool public_codes) {
    const auto joint = joint_of(code_shares_, table_);
    const auto weights = weigh_symbols(evidence_, joint).values;
    const std::vector<float> neighbours = labels_of_neighbours();
    for (std::size_t s = 0; s < joint.size(); ++s) table_.probability[s] = joint[s] * weights[s];
    if (!public_codes) take_code_shares();
    for (std::size_t s = 0; s < joint.size(); ++s)
      table_.probability[s] +=
          pseudo_counts * static_cast<float>(class_shares_[s % table_.classes]) + neighbour_counts * neighbours[s];
    normalise();
  }

  void sharpen(float exponent) {
    for (float& value : table_.probability) value = std::pow(std::max(value, 1e-6F), exponent);
    normalise();
  }

  // Draws the classes towards their shares: half-way in each pass, since the shares are themselves estimates.
  void balance(std::size_t passes) {
    for (std::size_t pass = 0; pass < passes; ++pass) {
      std::vector<float> masses(table_.classes, 0);
      for (std::size_t s = 0; s < table_.probability.size(); ++s)
        masses[s % table_.classes] += code_shares_[s / table_.classes] * table_.probability[s];
      for (std::size_t s = 0; s < table_.probability.size(); ++s) {
        const std::size_t y = s % table_.classes;
        if (masses[y] > 0) table_.probability[s] *= std::sqrt(static_cast<float>(class_shares_[y]) / masses[y]);
      }
      normalise();
    }
  }

  const LabelTable& table() const { return table_; }

 private:
  // Affinities as shares: those of a code sum to at most 1, and to less when it is on its own.
  static std::vector<float> leanings_of(std::span<const float> affinities, std::size_t codes) {
    std::vector<float> leanings(affinities.begin(), affinities.end());
    for (std::size_t begin = 0; begin < leanings.size(); begin += codes) {
      const auto row = std::span(leanings).subspan(begin, codes);
      const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
      if (sum > 1)
        for (float& value : row) value /= sum;
    }
    return leanings;
  }

  std::vector<float> labels_of_neighbours() const {
    std::vector<float> labels(table_.probability.size(), 0);
    for (std::size_t i = 0; i < leanings_.size(); ++i) {
      const auto of_neighbour = table_.of(i % table_.codes);
      for (std::size_t y = 0; y < table_.classes; ++y)
        labels[i / table_.codes * table_.classes + y] += leanings_[i] * of_neighbour[y];
    }
    return labels;
  }

  // From expected counts, before they are divided code by code.
  void take_code_shares() {
    float all = 0;
    for (std::size_t code = 0; code < table_.codes; ++code) {
      code_shares_[code] = 0;
      for (const float count : table_.of(code)) code_shares_[code] += count;
      all += code_shares_[code];
    }
    for (float& share : code_shares_) share /= all;
  }

  void normalise() {
    for (std::size_t code = 0; code < table_.codes; ++code) {
      const auto row = std::span(table_.probability).subspan(code * table_.classes, table_.classes);
      float sum = 0;
      for (const float value : row) sum += value;
      for (float& value : row) value = sum > 0 ? value / sum : 1 / static_cast<float>(table_.classes);
    }
  }

  const Evidence& evidence_;
  std::vector<float> code_shares_;
  std::vector<float> leanings_;  // codes × codes, or none
  std::span<const double> class_shares_;
  LabelTable table_;
};

Evidence part_of(const Evidence& evidence, std::size_t begin, std::size_t end) {
  const auto row = [&](std::size_t n) {
    return evidence.values.begin() + static_cast<std::ptrdiff_t>(n * evidence.symbols());
  };
  return {evidence.codes, evidence.classes, {row(begin), row(end)}};
}

// What a table that keeps to no shares gives the classes.
std::vector<double> free_class_shares(const Evidence& evidence, std::span<const float> code_shares) {
  const std::vector<double> even(evidence.classes, 1 / static_cast<double>(evidence.classes));
  const LabelTable table =
      learn_label_table(evidence, {code_shares}, even, {.pseudo_counts = 0, .sharpening = 0, .balance = false});
  std::vector<double> shares(table.classes, 0);
  for (std::size_t s = 0; s < table.probability.size(); ++s)
    shares[s % table.classes] += static_cast<double>(code_shares[s / table.classes] * table.probability[s]);
  return shares;
}

}  // namespace

LabelTable learn_label_table(const Evidence& evidence, const KnownCodes& codes, std::span<const double> class_shares,
                             const LabelTableOptions& options) {
  constexpr std::size_t kPasses = 5;
  TableLearner learner(evidence, codes, class_shares);
  for (std::size_t round = 0; round < options.rounds; ++round) {
    learner.maximise(options.pseudo_counts, options.neighbour_counts, options.public_codes);
    if (options.balance) learner.balance(kPasses);
  }
  for (std::size_t round = 0; round < options.sharpening; ++round) {
    learner.maximise(0, options.neighbour_counts, options.public_codes);
    const float progress = static_cast<float>(round) / static_cast<float>(options.sharpening);
    learner.sharpen(1 + (options.sharpest - 1) * progress);
    learner.balance(1);
  }
  return learner.table();
}

std::vector<double> estimate_class_shares(const Evidence& evidence, std::span<const float> code_shares) {
  const std::size_t middle = evidence.reports() / 2;
  const auto first = free_class_shares(part_of(evidence, 0, middle), code_shares);
  const auto second = free_class_shares(part_of(evidence, middle, evidence.reports()), code_shares);
  const double even = 1 / static_cast<double>(evidence.classes);
  double noise = 0, spread = 0;
  for (std::size_t y = 0; y < first.size(); ++y) {
    const double mean = (first[y] + second[y]) / 2;
    noise += (first[y] - second[y]) * (first[y] - second[y]) / 4;
    spread += (mean - even) * (mean - even);
  }
  const double trust = spread > noise ? 1 - noise / spread : 0;
  std::vector<double> shares;
  for (std::size_t y = 0; y < first.size(); ++y)
    shares.push_back(trust * (first[y] + second[y]) / 2 + (1 - trust) * even);
  return shares;
}

}  // namespace sotto
