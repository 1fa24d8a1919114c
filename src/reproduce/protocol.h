// Who holds which records in one trial of an experiment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/data/dataset.h"
#include "sotto/reproduce/experiment.h"

namespace sotto {

struct Parts {
  Dataset auxiliary, validation;  // the mechanism's: unlabelled in use, whatever the files say
  Dataset reporting, held_out;    // people who send reports; the second part decides when learning stops
  Dataset test;
  std::int32_t classes = 0;
  std::vector<std::string> mechanism_digests = {};  // of the mechanism's two, to name what was learnt from them
};

// The published split [Man21, D.1.1, D.1.2], drawn anew for each seed, with the experiment's and the series' limits.
Parts share_out(const Dataset& train, const Dataset& test, std::int32_t classes, const Experiment& experiment,
                const Series& series, std::uint64_t seed);

}  // namespace sotto
