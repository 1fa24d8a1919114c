#include "sotto/channel/exponential.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/exp_enclosure.h"

namespace sotto {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << kExponentialWeightBits;

struct Distances {
  explicit Distances(const Product& codes)
      : values(codes.distances),
        count(static_cast<std::size_t>(codes.coordinates[0].levels)),
        largest(*std::max_element(values.begin(), values.end())) {}

  std::size_t operator()(std::size_t category, std::size_t report) const { return values[category * count + report]; }

  std::vector<std::uint8_t> values;
  std::size_t count;
  std::size_t largest;
};

// P(r|c) = weights[d(c,r)] / totals[c] in integers: weights are scaled by 2^(24·largest).
struct Law {
  std::vector<Natural> weights, totals;
};

Law law_of(const Distances& distances, std::uint64_t weight) {
  Law law;
  for (std::size_t distance = 0; distance <= distances.largest; ++distance) {
    Natural power(1);
    for (std::size_t i = 0; i < distance; ++i) power *= weight;
    law.weights.push_back(power <<= static_cast<unsigned>(kExponentialWeightBits * (distances.largest - distance)));
  }
  for (std::size_t category = 0; category < distances.count; ++category) {
    std::vector<std::uint64_t> reports_at(law.weights.size(), 0);
    for (std::size_t report = 0; report < distances.count; ++report) ++reports_at[distances(category, report)];
    Natural& total = law.totals.emplace_back();
    for (std::size_t distance = 0; distance < reports_at.size(); ++distance)
      total += Natural(law.weights[distance]) *= reports_at[distance];
  }
  return law;
}

// Where a report may come from, as far as its probability goes: a category at this distance and with this total.
struct Origin {
  std::size_t distance;
  const Natural* total;
};

bool is_likelier(const Law& law, const Origin& a, const Origin& b) {
  if (a.distance >= b.distance && *b.total <= *a.total) return false;  // spares most of the products
  return law.weights[b.distance] * *a.total < law.weights[a.distance] * *b.total;
}

// Whether P(report|a) ≤ e^ε·P(report|b) for all categories a, b. Among those at one distance only the smallest and the
// largest total matter. `factor` is at most 2^64·e^ε.
bool keeps(const Law& law, const Distances& distances, std::size_t report, const Natural& factor) {
  struct Totals {
    const Natural *smallest = nullptr, *largest = nullptr;
  };
  std::vector<Totals> at(law.weights.size());
  for (std::size_t category = 0; category < distances.count; ++category) {
    Totals& totals = at[distances(category, report)];
    const Natural& total = law.totals[category];
    if (totals.smallest == nullptr || total < *totals.smallest) totals.smallest = &total;
    if (totals.largest == nullptr || *totals.largest < total) totals.largest = &total;
  }
  Origin most{0, &law.totals[report]}, least = most;
  for (std::size_t distance = 1; distance < at.size(); ++distance) {
    if (at[distance].smallest == nullptr) continue;
    if (const Origin origin{distance, at[distance].smallest}; is_likelier(law, origin, most)) most = origin;
    if (const Origin origin{distance, at[distance].largest}; is_likelier(law, least, origin)) least = origin;
  }
  Natural scaled = law.weights[most.distance] * *least.total;
  return (scaled <<= 64) <= law.weights[least.distance] * *most.total * factor;
}

bool keeps(const Distances& distances, std::uint64_t weight, const Natural& factor) {
  const Law law = law_of(distances, weight);
  for (std::size_t report = 0; report < distances.count; ++report)
    if (!keeps(law, distances, report, factor)) return false;
  return true;
}

using Rows = std::vector<std::vector<double>>;

// Gauss-Jordan with partial pivoting on the matrix beside the identity, which becomes the inverse. Empty where the
// matrix is singular, as far as doubles can tell.
Rows invert(Rows rows) {
  const std::size_t size = rows.size();
  for (std::size_t i = 0; i < size; ++i) {
    rows[i].resize(2 * size);
    rows[i][size + i] = 1;
  }
  for (std::size_t column = 0; column < size; ++column) {
    const auto by_size = [=](auto& a, auto& b) { return std::abs(a[column]) < std::abs(b[column]); };
    std::vector<double>& pivot = rows[column];
    pivot.swap(*std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(column), rows.end(), by_size));
    if (!(std::abs(pivot[column]) > 1e-14)) return {};
    for (std::size_t j = 2 * size; j-- > column;) pivot[j] /= pivot[column];
    for (std::vector<double>& row : rows) {
      const double factor = &row == &pivot ? 0 : row[column];
      for (std::size_t j = column; j < 2 * size; ++j) row[j] -= factor * pivot[j];
    }
  }
  return rows;
}

class Exponential final : public Channel {
 public:
  Exponential(const Product& codes, const Epsilon& epsilon, std::uint64_t weight)
      : Channel(codes, {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/categories.md"},
                {{0, codes.coordinates[0].levels - 1}}),
        distances_(codes),
        weight_(weight),
        log_weight_(std::log(static_cast<double>(weight) / static_cast<double>(kOne))) {
    for (std::size_t category = 0; category < distances_.count; ++category) {
      double total = 0;
      for (std::size_t report = 0; report < distances_.count; ++report)
        total += std::exp(static_cast<double>(distances_(category, report)) * log_weight_);
      log_totals_.push_back(std::log(total));
    }
  }

 private:
  // Proposes any report and keeps it with probability w^d.
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    const auto category = static_cast<std::size_t>(point[0]);
    std::uint64_t proposal = 0;
    do proposal = uniform_below(distances_.count, entropy);
    while (!survives(distances_(category, proposal), entropy));
    report[0] = static_cast<std::int64_t>(proposal);
  }

  bool survives(std::size_t distance, Entropy& entropy) const {
    for (; distance > 0; --distance)
      if (!bernoulli<std::uint64_t>(weight_, kOne, entropy)) return false;
    return true;
  }

  double log_pmf(Report report, Point point) const override {
    const auto category = static_cast<std::size_t>(point[0]);
    return static_cast<double>(distances_(category, static_cast<std::size_t>(report[0]))) * log_weight_ -
           log_totals_[category];
  }

  // A row of the inverse of the law. For a collector: a device never pays for it.
  void unbias(Report report, std::span<double> point) const override {
    std::call_once(inverted_, [&] {
      Rows law(distances_.count);
      for (std::int64_t from = 0; from < std::ssize(law); ++from)
        for (std::int64_t to = 0; to < std::ssize(law); ++to)
          law[static_cast<std::size_t>(from)].push_back(std::exp(log_pmf({&to, 1}, {&from, 1})));
      inverse_ = invert(std::move(law));
    });
    if (inverse_.empty())
      throw Failure({ErrorCode::kUnsupported, "estimate: at this epsilon, reports say too little for an unbiased one"});
    const std::vector<double>& row = inverse_[static_cast<std::size_t>(report[0])];
    std::copy(row.end() - static_cast<std::ptrdiff_t>(point.size()), row.end(), point.begin());
  }

  Distances distances_;
  std::uint64_t weight_;
  double log_weight_;
  std::vector<double> log_totals_;
  mutable std::once_flag inverted_;
  mutable Rows inverse_;  // in the right half of each row; empty if there is none
};

}  // namespace

// `kept` has passed the test, or is 2^24, which makes all probabilities equal: the claim does not rest on what the test
// says of other weights. `broken` has failed it.
Result<std::uint64_t> exponential_weight(const Product& codes, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(codes)); !status) return status.error();
  if (codes.distances.empty()) return refuse("distances: the exponential channel needs some, got none");
  const std::uint64_t p = epsilon.value().numerator(), q = epsilon.value().denominator();
  if (p > 1024 * q) return refuse("epsilon: must be at most 1024, got " + epsilon.to_string());
  const Distances distances(codes);
  const Natural factor = enclose_exp(p, q, 64).low;
  std::uint64_t broken = 0, kept = kOne;
  while (kept - broken > 1) {
    const std::uint64_t middle = (broken + kept) / 2;
    (keeps(distances, middle, factor) ? kept : broken) = middle;
  }
  return kept;
}

Result<std::unique_ptr<Channel>> make_exponential(const Product& codes, const Epsilon& epsilon) {
  const auto weight = exponential_weight(codes, epsilon);
  if (!weight) return weight.error();
  return std::unique_ptr<Channel>(std::make_unique<Exponential>(codes, epsilon, *weight));
}

}  // namespace sotto
