#include "sotto/audit/goodness_of_fit.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <limits>
#include <numeric>
#include <vector>

namespace sotto {
namespace {

constexpr double kLeastExpectedHits = 100;

struct Cell {
  double expected, hits;
};

// All cells that expect too little become one, which joins another if it still does.
std::vector<Cell> pooled(std::span<const std::uint64_t> hits, std::span<const double> probabilities, double samples) {
  std::vector<Cell> cells;
  Cell rest{0, 0};
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const Cell cell{probabilities[i] * samples, static_cast<double>(hits[i])};
    if (cell.expected >= kLeastExpectedHits) {
      cells.push_back(cell);
    } else {
      rest = {rest.expected + cell.expected, rest.hits + cell.hits};
    }
  }
  if (rest.expected >= kLeastExpectedHits || cells.empty()) {
    cells.push_back(rest);
  } else {
    cells.back() = {cells.back().expected + rest.expected, cells.back().hits + rest.hits};
  }
  return cells;
}

// The position of a report in the law's lexicographic list, or the list's length.
std::size_t position(const Tuples& reports, Report report) {
  std::size_t low = 0;
  std::size_t high = reports.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const Report candidate = reports[middle];
    if (std::lexicographical_compare(candidate.begin(), candidate.end(), report.begin(), report.end())) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < reports.size() && std::equal(report.begin(), report.end(), reports[low].begin());
  return found ? low : reports.size();
}

}  // namespace

Fit goodness_of_fit(std::span<const std::uint64_t> hits, std::span<const double> probabilities) {
  const std::uint64_t samples = std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
  bool impossible = false;
  for (std::size_t i = 0; i < hits.size(); ++i) impossible = impossible || (hits[i] > 0 && probabilities[i] <= 0);
  if (impossible) return {std::numeric_limits<double>::infinity(), hits.size(), 0, samples};
  const std::vector<Cell> cells = pooled(hits, probabilities, static_cast<double>(samples));
  if (cells.size() < 2) return {0, 0, 1, samples};
  double sum = 0;
  for (const Cell& cell : cells) sum += (cell.hits - cell.expected) * (cell.hits - cell.expected) / cell.expected;
  const boost::math::chi_squared_distribution<double> law(static_cast<double>(cells.size() - 1));
  return {sum, cells.size() - 1, boost::math::cdf(boost::math::complement(law, sum)), samples};
}

Fit goodness_of_fit(const ExactLaw& law, std::size_t point, const Sampler& sampler, std::uint64_t samples,
                    Entropy& entropy) {
  std::vector<double> probabilities;
  for (std::size_t i = 0; i < law.reports.size(); ++i)
    probabilities.push_back(law.probability(law.reports[i], law.points[point]).high_as_double());
  const double listed = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  probabilities.push_back(law.listing == Listing::kAll ? 0 : std::max(0.0, 1 - listed));
  std::vector<std::uint64_t> hits(probabilities.size());
  std::vector<std::int64_t> report(law.reports.length());
  for (std::uint64_t i = 0; i < samples; ++i) {
    sampler(law.points[point], entropy, report);
    ++hits[position(law.reports, report)];
  }
  return goodness_of_fit(hits, probabilities);
}

}  // namespace sotto
