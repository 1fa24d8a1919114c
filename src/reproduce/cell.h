// One number of an experiment: a trial of one series at one epsilon, from raw records to an accuracy.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sotto/reproduce/mechanism_store.h"

namespace sotto {

// Records to be classified in private are released with this share of the epsilon that the training reports had: what
// the papers gave their features, whose label needs none at inference [Man21, §5].
inline constexpr double kTestShare = 0.7;

struct CellOutcome {
  double accuracy;  // in percent
  std::map<std::string, double> diagnostics;
};

Result<CellOutcome> run_cell(const Experiment& experiment, const Cell& cell, const Parts& parts,
                             const InputSchema& input, const MechanismStore& store, std::uint64_t seed);

}  // namespace sotto
