// The state of a training run in one file, written atomically, and only ever continued by the run it belongs to: it
// carries a digest of the data and of every option that bears on the result.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "sotto/backprop/adam.h"
#include "sotto/train/variational_training.h"

namespace sotto {

class VariationalCheckpoint {
 public:
  VariationalCheckpoint(std::filesystem::path path, const Dataset& auxiliary, const Dataset& validation,
                        const VariationalTrainingOptions& options);

  // Order of the optimisers: encoder, decoder, scale.
  Status save(const VariationalFit& fit, const VariationalModel& current, std::array<Adam*, 3> optimisers) const;

  // Changes nothing when there is no file. Fails, changing nothing that matters any more, when the file is damaged or
  // belongs to another run.
  Status load(VariationalFit& fit, VariationalModel& current, std::array<Adam*, 3> optimisers) const;

 private:
  std::filesystem::path path_;
  std::string run_;  // the digest
};

}  // namespace sotto
