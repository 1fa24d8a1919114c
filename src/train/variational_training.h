// Trains the variational Laplace model: minibatches on two lanes, Adam, early stopping on the validation ELBO, and a
// checkpoint after every epoch from which an interrupted run goes on to exactly the same model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "sotto/data/dataset.h"
#include "sotto/mechanism/spec.h"
#include "sotto/train/variational_model.h"

namespace sotto {

struct VariationalTrainingOptions {
  VariationalModelOptions model;
  std::size_t batch = 64;
  float learning_rate = 5e-4F;
  std::size_t max_epochs = 60;
  std::size_t patience = 8;  // epochs without a better validation ELBO before training ends
  std::uint64_t seed = 1;
  std::filesystem::path checkpoint;  // empty: none. Continued when it belongs to the same data and options.
};

struct EpochSummary {
  std::size_t epoch = 0;  // from 1
  Objective training, validation;
  double seconds = 0;  // of this epoch
  bool best = false;   // so far, by validation ELBO
};

// Below this share of the radius, the mean norm of the latents says that they have collapsed onto the origin.
inline constexpr double kCollapsedShare = 0.05;
bool has_collapsed(const Objective& objective, const VariationalModelOptions& options);

struct VariationalFit {
  VariationalModel model;  // of the best epoch
  std::vector<EpochSummary> history;
};

// Called after every epoch, also for those that a checkpoint brings back.
using EpochProgress = std::function<void(const EpochSummary&)>;

Result<VariationalFit> train_variational(const Dataset& auxiliary, const Dataset& validation,
                                         const VariationalTrainingOptions& options, const EpochProgress& progress);

// The mechanism that the model amounts to: its encoder, the L1 lattice, Laplace noise; its decoder for feature-level
// releases.
Result<MechanismSpec> to_mechanism(const VariationalModel& model, const InputSchema& input,
                                   const std::optional<LabelSchema>& label, std::int64_t resolution,
                                   std::map<std::string, std::string> provenance);

}  // namespace sotto
