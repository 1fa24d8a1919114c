// Runs an experiment cell by cell and gathers the numbers. Every finished cell is kept in a file of its own, written
// atomically: a run that was killed goes on where it stopped and ends with the same numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "sotto/data/dataset.h"
#include "sotto/reproduce/experiment.h"

namespace sotto {

struct RunOptions {
  std::filesystem::path work;   // mechanisms and finished cells; may be shared by experiments
  std::uint64_t seed = 1;       // trial t uses seed + t
  std::string command, commit;  // for the record
  std::function<void(const std::string&)> progress;
};

struct LabelledData {
  InputSchema input;
  Dataset train, test;
  std::int32_t classes;
};

// The four MNIST files in `directory`.
Result<LabelledData> load_mnist(const std::filesystem::path& directory);

// Completes results of some series with those of the others that an earlier run of the same experiment left, in the
// order of the declaration. Every row names the commit that computed it.
void keep_earlier_rows(const Experiment& experiment, const Results& earlier, Results& results);

Result<Results> run_experiment(const Experiment& experiment, const LabelledData& data, const RunOptions& options);

}  // namespace sotto
