// Does a sampler follow its law? The link between the exact audit, which reads formulas, and the code that draws.
//
// Pearson's chi-square test. Cells are pooled until each expects at least 100 hits, where the chi-square approximation
// of the tail is good down to p-values of 1e-6 and beyond; a report outside the law is a rejection at once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "sotto/audit/exact_law.h"
#include "sotto/kernel/entropy.h"

namespace sotto {

struct Fit {
  double chi_square;
  std::uint64_t degrees_of_freedom;
  double p_value;
  std::uint64_t samples;
};

// Hits in each cell against the cells' probabilities, which sum to one.
Fit goodness_of_fit(std::span<const std::uint64_t> hits, std::span<const double> probabilities);

// Draws reports about one point of the law. Reports that the law does not list count together.
using Sampler = std::function<void(Point point, Entropy& entropy, std::span<std::int64_t> report)>;
Fit goodness_of_fit(const ExactLaw& law, std::size_t point, const Sampler& sampler, std::uint64_t samples,
                    Entropy& entropy);

}  // namespace sotto
