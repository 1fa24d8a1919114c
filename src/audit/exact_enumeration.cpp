#include "sotto/audit/exact_enumeration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sotto {
namespace {

// x < y, x ≤ y for bounds of enclosures.
bool less(mpfr_srcptr x, mpfr_srcptr y) { return mpfr_less_p(x, y) != 0; }
bool at_most(mpfr_srcptr x, mpfr_srcptr y) { return mpfr_lessequal_p(x, y) != 0; }

Enclosure slack() {
  Enclosure power(1);
  for (int i = 0; i < 100; ++i) power /= 2;
  return power;
}

std::vector<std::int64_t> copy(std::span<const std::int64_t> tuple) { return {tuple.begin(), tuple.end()}; }

ExactAudit empty_audit(const ExactLaw& law, const Epsilon& epsilon, const Delta& delta) {
  const bool sums_to_one =
      std::all_of(law.totals.begin(), law.totals.end(), [](const auto& sum) { return sum.is_one(); });
  return {epsilon,
          delta,
          0,
          0,
          {},
          {},
          {},
          false,
          false,
          false,
          law.points.size(),
          law.reports.size(),
          law.listing == Listing::kAll,
          sums_to_one};
}

std::vector<Enclosure> probabilities(const ExactLaw& law, std::size_t report) {
  std::vector<Enclosure> all;
  for (std::size_t i = 0; i < law.points.size(); ++i)
    all.push_back(law.probability(law.reports[report], law.points[i]));
  return all;
}

// The worst ratio so far, and where it is certain to be reached.
struct Worst {
  Enclosure ratio{1};
  std::size_t point = 0, other_point = 0, report = 0;

  // For one report the worst pair is the most and the least probable point, so all pairs are covered. The bounds come
  // from different pairs when probabilities overlap: above, the largest upper over the smallest lower bound; below, the
  // largest lower over the smallest upper bound.
  void examine(const std::vector<Enclosure>& p, std::size_t at_report) {
    const auto by_low =
        std::minmax_element(p.begin(), p.end(), [](auto& x, auto& y) { return less(x.low(), y.low()); });
    const auto by_high =
        std::minmax_element(p.begin(), p.end(), [](auto& x, auto& y) { return less(x.high(), y.high()); });
    if (by_high.second->is_zero()) return;  // nobody ever reports this
    const Enclosure certain = *by_low.second / *by_high.first;
    const Enclosure possible = *by_high.second / *by_low.first;
    if (less(ratio.low(), certain.low())) {
      point = static_cast<std::size_t>(by_low.second - p.begin());
      other_point = static_cast<std::size_t>(by_high.first - p.begin());
      report = at_report;
      ratio = Enclosure::between(certain, ratio);
    }
    if (less(ratio.high(), possible.high())) ratio = Enclosure::between(ratio, possible);
  }
};

}  // namespace

ExactAudit audit_law(const ExactLaw& law, const Epsilon& epsilon) {
  Worst worst;
  for (std::size_t report = 0; report < law.reports.size(); ++report) worst.examine(probabilities(law, report), report);
  const Enclosure log_ratio = Enclosure::log(worst.ratio);
  const Enclosure claimed(epsilon.value());
  ExactAudit audit = empty_audit(law, epsilon, Delta::zero());
  audit.worst_low = log_ratio.low_as_double();
  audit.worst_high = log_ratio.high_as_double();
  audit.point = copy(law.points[worst.point]);
  audit.other_point = copy(law.points[worst.other_point]);
  audit.report = copy(law.reports[worst.report]);
  audit.broken = less(claimed.high(), log_ratio.low());
  audit.proved = law.listing != Listing::kMostLikely && at_most(log_ratio.high(), (claimed + slack()).low());
  audit.tight = at_most((claimed - slack()).high(), log_ratio.low()) && audit.proved;
  return audit;
}

ExactAudit audit_law(const ExactLaw& law, const Epsilon& epsilon, const Delta& delta) {
  const std::size_t points = law.points.size();
  const Enclosure factor = Enclosure::exp(Enclosure(epsilon.value()));
  std::vector<Enclosure> excess(points * points);
  std::vector<Enclosure> unlisted = law.totals;
  for (std::size_t report = 0; report < law.reports.size(); ++report) {
    const std::vector<Enclosure> p = probabilities(law, report);
    for (std::size_t j = 0; j < points; ++j) {
      unlisted[j] -= p[j];
      const Enclosure allowed = factor * p[j];
      for (std::size_t i = 0; i < points; ++i)
        if (less(allowed.low(), p[i].high())) excess[i * points + j] += p[i] - allowed;  // never below zero
    }
  }
  for (std::size_t i = 0; i < points; ++i)  // what is not listed exceeds by at most its probability
    for (std::size_t j = 0; j < points; ++j) excess[i * points + j] += Enclosure::between(Enclosure(), unlisted[i]);
  const auto worst = std::max_element(excess.begin(), excess.end(),
                                      [](const auto& x, const auto& y) { return less(x.low(), y.low()); });
  const auto highest = std::max_element(excess.begin(), excess.end(),
                                        [](const auto& x, const auto& y) { return less(x.high(), y.high()); });
  const auto at = static_cast<std::size_t>(worst - excess.begin());
  const Enclosure claimed(delta.value());
  ExactAudit audit = empty_audit(law, epsilon, delta);
  audit.worst_low = worst->low_as_double();
  audit.worst_high = highest->high_as_double();
  audit.point = copy(law.points[at / points]);
  audit.other_point = copy(law.points[at % points]);
  audit.broken = less(claimed.high(), worst->low());
  audit.proved = at_most(highest->high(), claimed.low());
  return audit;
}

double likelihood_error(const ExactLaw& law, const Channel& channel) {
  double largest = 0;
  for (std::size_t report = 0; report < law.reports.size(); ++report) {
    for (std::size_t i = 0; i < law.points.size(); ++i) {
      const double expected = law.probability(law.reports[report], law.points[i]).approximate_log();
      const double given = channel.log_likelihood(law.reports[report], law.points[i]);
      if (given == expected) continue;  // also −∞
      const double error = std::abs(given - expected);
      largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(largest, error);
    }
  }
  return largest;
}

}  // namespace sotto
