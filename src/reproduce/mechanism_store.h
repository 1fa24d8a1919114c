// The mechanisms of an experiment, each trained once and kept in a file named after everything that bears on it, so
// that series, epsilons and experiments share them, and an interrupted run loses at most one epoch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "sotto/mechanism/mechanism.h"
#include "sotto/reproduce/experiment.h"
#include "sotto/reproduce/protocol.h"
#include "sotto/train/loss_epochs.h"

namespace sotto {

class MechanismStore {
 public:
  MechanismStore(std::filesystem::path directory, std::function<void(const std::string&)> progress);

  // The mechanism that the settings describe, trained on the auxiliary part.
  Result<Mechanism> mechanism(const Settings& settings, const Parts& parts, const InputSchema& input,
                              std::uint64_t seed) const;
  // Settings with what a plan says in the place of what they leave to it: codes and channel, for so many reports.
  Result<Settings> planned(const Settings& settings, double epsilon, std::size_t reports, const Parts& parts,
                           const InputSchema& input, std::uint64_t seed) const;
  // The collector's own partition of the auxiliary records: a contrastive encoder and its clusters.
  Result<Mechanism> codebook(const Settings& settings, const Parts& parts, const InputSchema& input,
                             std::uint64_t seed) const;

 private:
  LossProgress losses_of(const char* what, std::size_t epochs) const;
  Result<Network> contrastive_encoder(const Settings& settings, const Parts& parts, const InputSchema& input,
                                      std::uint64_t seed) const;
  Result<Mechanism> stored(const std::string& key,
                           const std::function<Result<MechanismSpec>(const std::filesystem::path&)>& train) const;

  std::filesystem::path directory_;
  std::function<void(const std::string&)> progress_;
};

}  // namespace sotto
