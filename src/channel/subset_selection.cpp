#include "sotto/channel/subset_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "sotto/channel/log_choose.h"
#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/exp_odds.h"

namespace sotto {
namespace {

// The chances that a report contains its own category, and that it contains a given other one.
struct Inclusion {
  double own, other;
};
Inclusion inclusion(std::int64_t categories, std::int64_t subset_size, double epsilon) {
  const auto k = static_cast<double>(categories);
  const auto size = static_cast<double>(subset_size);
  const double own = 1 / (1 + (k - size) / size * std::exp(-epsilon));
  return {own, (own * (size - 1) + (1 - own) * size) / (k - 1)};
}

class SubsetSelection final : public Channel {
 public:
  SubsetSelection(std::int64_t categories, std::int64_t subset_size, const Epsilon& epsilon, ExpOdds truth)
      : Channel(Product::categories(categories),
                {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/categories.md"},
                std::vector<Range>(static_cast<std::size_t>(subset_size), {0, categories - 1})),
        categories_(static_cast<std::uint64_t>(categories)),
        truth_(truth),
        inclusion_(inclusion(categories, subset_size, epsilon.to_double())),
        log_with_own_(std::log(inclusion_.own) -
                      log_choose(static_cast<double>(categories - 1), static_cast<double>(subset_size - 1))),
        log_without_own_(log_with_own_ - epsilon.to_double()) {}

 private:
  // Decides on the own category first, then walks through the others and takes each with probability (places left) /
  // (others left): every set of others is equally likely, and the report comes out sorted.
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    const auto own = static_cast<std::uint64_t>(point[0]);
    const bool takes_own = truth_.heads(entropy);
    std::uint64_t places = report.size() - (takes_own ? 1 : 0);
    std::uint64_t others = categories_ - 1;
    std::size_t next = 0;
    for (std::uint64_t category = 0; next < report.size(); ++category) {
      bool taken = takes_own;
      if (category != own) {
        taken = bernoulli<std::uint64_t>(places, others, entropy);
        places -= taken ? 1 : 0;
        --others;
      }
      if (taken) report[next++] = static_cast<std::int64_t>(category);
    }
  }

  // Naming a category twice would let one report count as many.
  bool is_consistent(Report report) const override {
    return std::adjacent_find(report.begin(), report.end(), std::greater_equal<>()) == report.end();
  }

  double log_pmf(Report report, Point point) const override {
    return std::binary_search(report.begin(), report.end(), point[0]) ? log_with_own_ : log_without_own_;
  }

  void unbias(Report report, std::span<double> point) const override {
    const double span = inclusion_.own - inclusion_.other;
    std::fill(point.begin(), point.end(), -inclusion_.other / span);
    for (const std::int64_t category : report) point[static_cast<std::size_t>(category)] += 1 / span;
  }

  std::uint64_t categories_;
  ExpOdds truth_;  // ω·e^ε against k−ω
  Inclusion inclusion_;
  double log_with_own_, log_without_own_;
};

}  // namespace

// Minimises the variance of a frequency estimate of a rare category, q(1−q)/(p−q)², near ω = k/(e^ε+1) [YB18].
std::int64_t optimal_subset_size(std::int64_t categories, const Epsilon& epsilon) {
  const auto variance = [&](std::int64_t size) {
    const Inclusion chance = inclusion(categories, size, epsilon.to_double());
    return chance.other * (1 - chance.other) / ((chance.own - chance.other) * (chance.own - chance.other));
  };
  const double ideal = static_cast<double>(categories) / (std::exp(epsilon.to_double()) + 1);
  const std::int64_t below = std::clamp<std::int64_t>(static_cast<std::int64_t>(ideal), 1, categories - 1);
  const std::int64_t above = std::clamp<std::int64_t>(below + 1, 1, categories - 1);
  return variance(above) < variance(below) ? above : below;
}

Result<std::unique_ptr<Channel>> make_subset_selection(std::int64_t categories, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(Product::categories(categories))); !status) return status.error();
  return make_subset_selection(categories, optimal_subset_size(categories, epsilon), epsilon);
}

Result<std::unique_ptr<Channel>> make_subset_selection(std::int64_t categories, std::int64_t subset_size,
                                                       const Epsilon& epsilon) {
  if (const Status status = validate(Domain(Product::categories(categories))); !status) return status.error();
  if (subset_size < 1 || subset_size >= categories)
    return refuse("subset_size: must lie between 1 and " + std::to_string(categories - 1) + ", got " +
                  std::to_string(subset_size));
  const auto truth =
      ExpOdds::make(static_cast<std::uint64_t>(subset_size), static_cast<std::uint64_t>(categories - subset_size),
                    epsilon.value().numerator(), epsilon.value().denominator());
  if (!truth) return truth.error();
  return std::unique_ptr<Channel>(std::make_unique<SubsetSelection>(categories, subset_size, epsilon, *truth));
}

}  // namespace sotto
