// inexact: see the header.
#include "sotto/channel/attribute_sampling.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sotto/channel/inexact_claim.h"
#include "sotto/channel/log_choose.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

// ⌊ε/2.5⌋, but at least 1 and at most all.
std::size_t sampled_count(std::size_t dimension, const Epsilon& epsilon) {
  const Uint128 ideal = Uint128{epsilon.value().numerator()} * 2 / (Uint128{epsilon.value().denominator()} * 5);
  return static_cast<std::size_t>(std::clamp<Uint128>(ideal, 1, dimension));
}

std::vector<Range> pair_ranges(std::size_t dimension, std::size_t count, std::int64_t bound) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < count; ++i) {
    ranges.push_back({0, static_cast<std::int64_t>(dimension) - 1});
    ranges.push_back({-bound, bound});
  }
  return ranges;
}

// Each set of `count` out of {0, …, dimension−1} equally likely, in increasing order (Floyd's method).
std::vector<std::size_t> choose(std::size_t dimension, std::size_t count, Entropy& entropy) {
  std::vector<std::size_t> chosen;
  for (std::uint64_t last = dimension - count; last < dimension; ++last) {
    const std::uint64_t candidate = uniform_below(last + 1, entropy);
    const bool taken = std::find(chosen.begin(), chosen.end(), candidate) != chosen.end();
    chosen.push_back(static_cast<std::size_t>(taken ? last : candidate));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

class AttributeSampling final : public Channel {
 public:
  AttributeSampling(Product box, Claim claim, std::size_t count, std::unique_ptr<AttributeLaw> law)
      : Channel(box, std::move(claim), pair_ranges(box.coordinates.size(), count, law->bound())),
        box_(std::move(box)),
        count_(count),
        log_choices_(log_choose(static_cast<double>(box_.coordinates.size()), static_cast<double>(count))),
        law_(std::move(law)) {}

 private:
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    const std::vector<std::size_t> chosen = choose(point.size(), count_, entropy);
    for (std::size_t i = 0; i < count_; ++i) {
      report[2 * i] = static_cast<std::int64_t>(chosen[i]);
      report[2 * i + 1] = law_->draw(number(point, chosen[i]), entropy);
    }
  }

  // Indices increase, and what t = 0 cannot give, nothing can.
  bool is_consistent(Report report) const override {
    for (std::size_t i = 0; i < count_; ++i)
      if ((i > 0 && report[2 * i] <= report[2 * i - 2]) || !(law_->pmf(report[2 * i + 1], 0) > 0)) return false;
    return true;
  }

  double log_pmf(Report report, Point point) const override {
    double sum = -log_choices_;
    for (std::size_t i = 0; i < count_; ++i)
      sum += std::log(law_->pmf(report[2 * i + 1], number(point, static_cast<std::size_t>(report[2 * i]))));
    return sum;
  }

  // A coordinate is seen with probability k/d, so what is seen counts d/k times; the rest is estimated as t = 0.
  void unbias(Report report, std::span<double> point) const override {
    const double weight = static_cast<double>(point.size()) / static_cast<double>(count_);
    for (std::size_t i = 0; i < point.size(); ++i) point[i] = half_span(i);
    for (std::size_t i = 0; i < count_; ++i) {
      const auto index = static_cast<std::size_t>(report[2 * i]);
      const double t = weight * static_cast<double>(report[2 * i + 1]) / static_cast<double>(kCellsPerUnit);
      point[index] = (t + 1) * half_span(index);
    }
  }

  double half_span(std::size_t index) const { return static_cast<double>(box_.coordinates[index].levels - 1) / 2; }
  double number(Point point, std::size_t index) const {
    return static_cast<double>(point[index]) / half_span(index) - 1;
  }

  Product box_;
  std::size_t count_;
  double log_choices_;
  std::unique_ptr<AttributeLaw> law_;
};

}  // namespace

Result<std::unique_ptr<Channel>> make_attribute_sampling(
    Product box, const Epsilon& epsilon, const std::function<std::unique_ptr<AttributeLaw>(double epsilon)>& law) {
  if (const Status status = validate(Domain(box)); !status) return status.error();
  if (!std::all_of(box.coordinates.begin(), box.coordinates.end(), [](const Coordinate& c) { return c.ordered; }))
    return refuse("coordinates: the piecewise and hybrid channels take ordered ones only");
  auto claim = make_inexact_claim(epsilon);
  if (!claim) return claim.error();
  const std::size_t count = sampled_count(box.coordinates.size(), epsilon);
  auto attribute_law = law(epsilon.to_double() / static_cast<double>(count));
  return std::unique_ptr<Channel>(
      std::make_unique<AttributeSampling>(std::move(box), *std::move(claim), count, std::move(attribute_law)));
}

}  // namespace sotto
