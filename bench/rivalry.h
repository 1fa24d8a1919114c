// Sotto beside its rivals on one noisy machine: all samplers in turn, many rounds, and only ratios within a round
// count.
#pragma once

#include <ostream>
#include <vector>

#include "samplers.h"

namespace sotto::bench {

// Prints a table. False if a sampler's values do not have the mean and variance that they should: a fast wrong answer
// is no answer.
bool compare_rivals(const std::vector<Sampler>& samplers, std::ostream& out);

}  // namespace sotto::bench
