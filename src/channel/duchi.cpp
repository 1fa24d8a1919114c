#include "sotto/channel/duchi.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sotto/channel/log_choose.h"
#include "sotto/kernel/bernoulli.h"

namespace sotto {
namespace {

// The share of corners s with s·v > 0, the same for every corner v.
double favoured_share(std::size_t dimension) {
  if (dimension % 2 == 1) return 0.5;
  const auto d = static_cast<double>(dimension);
  return 0.5 - 0.5 * std::exp(log_choose(d, d / 2) - d * std::log(2.0));
}

class Duchi final : public Channel {
 public:
  Duchi(Product box, const Epsilon& epsilon)
      : Channel(box, {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/duchi.md"},
                std::vector<Range>(box.coordinates.size(), {0, 1})),
        box_(std::move(box)),
        epsilon_(epsilon),
        log_unfavoured_(log_probability_of_an_unfavoured_corner()),
        scale_(debiasing_scale()) {}

 private:
  // Proposes corners s uniformly, one random bit per coordinate, and keeps an unfavoured one with probability exp(−ε).
  // The number of coordinates in which s and v agree tells the sign of s·v.
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    std::vector<std::uint8_t> corner(point.size());
    for (std::size_t i = 0; i < point.size(); ++i)
      corner[i] = bernoulli<std::uint64_t>(static_cast<std::uint64_t>(point[i]),
                                           static_cast<std::uint64_t>(box_.coordinates[i].levels - 1), entropy)
                      ? 1
                      : 0;
    while (true) {
      std::size_t agreements = 0;
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < point.size(); ++i, bits >>= 1) {
        if (i % 64 == 0) bits = entropy.take<std::uint64_t>();
        report[i] = static_cast<std::int64_t>(bits & 1);
        agreements += report[i] == corner[i] ? 1 : 0;
      }
      const bool favoured = 2 * agreements > point.size();
      if (favoured ||
          bernoulli_exp<std::uint64_t>(epsilon_.value().numerator(), epsilon_.value().denominator(), entropy))
        return;
    }
  }

  // P(s·v > 0 | point) by convolving the d independent agreements, then the mixture of the two corner probabilities.
  double log_pmf(Report report, Point point) const override {
    const std::size_t dimension = point.size();
    std::vector<double> agreements(dimension + 1, 0.0);
    agreements[0] = 1;
    for (std::size_t i = 0; i < dimension; ++i) {
      const double up = static_cast<double>(point[i]) / static_cast<double>(box_.coordinates[i].levels - 1);
      const double agree = report[i] == 1 ? up : 1 - up;
      for (std::size_t n = i + 1; n > 0; --n) agreements[n] = agreements[n] * (1 - agree) + agreements[n - 1] * agree;
      agreements[0] *= 1 - agree;
    }
    double favoured = 0;
    for (std::size_t n = dimension / 2 + 1; n <= dimension; ++n) favoured += agreements[n];
    return log_unfavoured_ + std::log1p(favoured * std::expm1(epsilon_.to_double()));
  }

  // E[s_i] = t_i / scale_ with t ∈ [−1, 1]; then back to levels.
  void unbias(Report report, std::span<double> point) const override {
    for (std::size_t i = 0; i < point.size(); ++i) {
      const double t = report[i] == 1 ? scale_ : -scale_;
      point[i] = (t + 1) / 2 * static_cast<double>(box_.coordinates[i].levels - 1);
    }
  }

  // 2^d·(1 + share·(e^ε − 1)) corners' worth of weight in all.
  double log_probability_of_an_unfavoured_corner() const {
    const auto dimension = static_cast<double>(box_.coordinates.size());
    const double share = favoured_share(box_.coordinates.size());
    return -dimension * std::log(2.0) - std::log1p(share * std::expm1(epsilon_.to_double()));
  }

  // The B of [Wan19, Eq. 10]: among the favoured corners, those that agree with v in a given coordinate outnumber those
  // that do not by C(d−1, ⌊(d−1)/2⌋) (d even: C(d−1, d/2), the same number).
  double debiasing_scale() const {
    const auto dimension = static_cast<double>(box_.coordinates.size());
    const double surplus = log_choose(dimension - 1, std::floor((dimension - 1) / 2));
    return std::exp(-log_unfavoured_ - surplus) / std::expm1(epsilon_.to_double());
  }

  Product box_;
  Epsilon epsilon_;
  double log_unfavoured_;
  double scale_;
};

}  // namespace

Result<std::unique_ptr<Channel>> make_duchi(Product box, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(box)); !status) return status.error();
  if (!std::all_of(box.coordinates.begin(), box.coordinates.end(), [](const Coordinate& c) { return c.ordered; }))
    return refuse("Duchi's mechanism takes ordered coordinates only");
  return std::unique_ptr<Channel>(std::make_unique<Duchi>(std::move(box), epsilon));
}

}  // namespace sotto
