#include "sotto/train/variational_training.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "sotto/backprop/minibatches.h"
#include "sotto/data/permutation.h"
#include "sotto/train/variational_checkpoint.h"

namespace sotto {
namespace {

using Clock = std::chrono::steady_clock;

// Streams of random numbers that must not depend on one another: each has its own seed, derived from the run's.
enum class Purpose : std::uint64_t { kInitialise, kShuffle, kNoise, kValidation };

std::uint64_t seed_for(std::uint64_t seed, Purpose purpose, std::size_t epoch, std::size_t lane) {
  SeededEntropy entropy(seed ^ (static_cast<std::uint64_t>(purpose) << 60) ^ (epoch << 8) ^ lane);
  return entropy.take<std::uint64_t>();
}

Status check(const Dataset& auxiliary, const Dataset& validation, const VariationalTrainingOptions& options) {
  const VariationalModelOptions& model = options.model;
  if (auxiliary.rows < 1 || validation.rows < 1)
    return refuse("auxiliary data: training and validation need at least 1 record each, got " +
                  std::to_string(auxiliary.rows) + " and " + std::to_string(validation.rows));
  if (auxiliary.width != validation.width)
    return refuse("validation data: expected records of " + std::to_string(auxiliary.width) + " values, got " +
                  std::to_string(validation.width));
  if (model.dimension < 1) return refuse("dimension: must be at least 1, got 0");
  if (std::find(model.hidden.begin(), model.hidden.end(), 0U) != model.hidden.end())
    return refuse("hidden layers: widths must be at least 1, got 0");
  if (!(model.l1_radius > 0) || !std::isfinite(model.l1_radius))
    return refuse("l1_radius: must be positive, got " + std::to_string(model.l1_radius));
  if (model.scale == PosteriorScale::kFixed && !(model.epsilon_pretrain > 0))
    return refuse("epsilon_pretrain: must be positive, got " + std::to_string(model.epsilon_pretrain));
  if (!(model.extra_reconstructions > -1))
    return refuse("extra_reconstructions: must be above -1, got " + std::to_string(model.extra_reconstructions));
  if (options.batch < 1 || options.max_epochs < 1) return refuse("batch and max_epochs: must be at least 1");
  if (!(options.learning_rate > 0))
    return refuse("learning_rate: must be positive, got " + std::to_string(options.learning_rate));
  for (const Dataset* data : {&auxiliary, &validation})
    if (!std::all_of(data->values.begin(), data->values.end(), [](float value) { return std::isfinite(value); }))
      return Error{ErrorCode::kInvalidInput, "auxiliary data: holds missing or infinite values"};
  return {};
}

Objective mean_of(const std::array<Objective, kLanes>& sums, std::size_t records) {
  Objective mean;
  const double share = 1 / static_cast<double>(records);
  for (const Objective& sum : sums) {
    mean.reconstruction += share * sum.reconstruction;
    mean.divergence += share * sum.divergence;
    mean.latent_norm += share * sum.latent_norm;
  }
  return mean;
}

void add(Objective& sum, const Objective& term) {
  sum.reconstruction += term.reconstruction;
  sum.divergence += term.divergence;
  sum.latent_norm += term.latent_norm;
}

class Trainer {
 public:
  Trainer(const Dataset& auxiliary, const Dataset& validation, const VariationalTrainingOptions& options,
          VariationalModel& model)
      : auxiliary_(auxiliary),
        validation_(validation),
        options_(options),
        model_(model),
        encoder_adam_(model.encoder().parameters().size(), {.learning_rate = options.learning_rate}),
        decoder_adam_(model.decoder().parameters().size(), {.learning_rate = options.learning_rate}),
        scale_adam_(1, {.learning_rate = options.learning_rate}) {}

  EpochSummary run_epoch(std::size_t epoch) {
    const auto start = Clock::now();
    EpochSummary summary;
    summary.epoch = epoch;
    summary.training = train_epoch(epoch);
    summary.validation = validate();
    summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return summary;
  }

  std::array<Adam*, 3> optimisers() { return {&encoder_adam_, &decoder_adam_, &scale_adam_}; }

 private:
  Objective train_epoch(std::size_t epoch) {
    const auto order =
        permutation(static_cast<std::uint32_t>(auxiliary_.rows), seed_for(options_.seed, Purpose::kShuffle, epoch, 0));
    SeededEntropy first(seed_for(options_.seed, Purpose::kNoise, epoch, 0));
    SeededEntropy second(seed_for(options_.seed, Purpose::kNoise, epoch, 1));
    const std::array<SeededEntropy*, kLanes> noise{&first, &second};
    std::array<Objective, kLanes> sums;
    minibatch_epoch(
        order, options_.batch, groups(), [&](std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
          gather_rows(auxiliary_.values, auxiliary_.width, rows, gathered_[lane]);
          add(sums[lane], model_.differentiate(gathered_[lane], rows.size(), weight, *noise[lane], laps_[lane]));
        });
    return mean_of(sums, order.size());
  }

  // The scale takes part only when it is learnt.
  std::vector<ParameterGroup> groups() {
    const auto gradients = [&](std::vector<float> VariationalModel::Lap::*gradient) {
      return std::array{&(laps_[0].*gradient), &(laps_[1].*gradient)};
    };
    std::vector<ParameterGroup> groups{
        {&encoder_adam_, model_.encoder().parameters(), gradients(&VariationalModel::Lap::encoder_gradient)},
        {&decoder_adam_, model_.decoder().parameters(), gradients(&VariationalModel::Lap::decoder_gradient)}};
    if (options_.model.scale == PosteriorScale::kLearnt)
      groups.push_back({&scale_adam_, {&model_.log_scale(), 1}, gradients(&VariationalModel::Lap::scale_gradient)});
    return groups;
  }

  // The noise is the same after every epoch, so that epochs differ by the model alone.
  Objective validate() {
    constexpr std::size_t kBlock = 256;
    std::array<Objective, kLanes> sums;
    run_lanes([&](Lane& lane) {
      SeededEntropy noise(seed_for(options_.seed, Purpose::kValidation, 0, lane.index()));
      const auto part = lane.part_of(validation_.rows);
      for (std::size_t row = part.begin; row < part.end; row += kBlock) {
        const std::size_t count = std::min(kBlock, part.end - row);
        const auto records = std::span(validation_.values).subspan(row * validation_.width, count * validation_.width);
        add(sums[lane.index()], model_.evaluate(records, count, noise, laps_[lane.index()]));
      }
    });
    return mean_of(sums, validation_.rows);
  }

  const Dataset& auxiliary_;
  const Dataset& validation_;
  const VariationalTrainingOptions& options_;
  VariationalModel& model_;
  Adam encoder_adam_, decoder_adam_, scale_adam_;
  std::array<VariationalModel::Lap, kLanes> laps_;
  std::array<std::vector<float>, kLanes> gathered_;
};

std::size_t best_epoch(const std::vector<EpochSummary>& history) {
  std::size_t best = 0;
  for (const EpochSummary& summary : history)
    if (summary.best) best = summary.epoch;
  return best;
}

bool is_done(const std::vector<EpochSummary>& history, const VariationalTrainingOptions& options) {
  return history.size() >= options.max_epochs || history.size() >= best_epoch(history) + options.patience;
}

}  // namespace

bool has_collapsed(const Objective& objective, const VariationalModelOptions& options) {
  return objective.latent_norm < kCollapsedShare * static_cast<double>(options.l1_radius);
}

Result<VariationalFit> train_variational(const Dataset& auxiliary, const Dataset& validation,
                                         const VariationalTrainingOptions& options, const EpochProgress& progress) {
  if (const Status status = check(auxiliary, validation, options); !status) return status.error();
  SeededEntropy initial(seed_for(options.seed, Purpose::kInitialise, 0, 0));
  VariationalModel model(auxiliary.width, options.model, initial);
  VariationalFit fit{model, {}};
  Trainer trainer(auxiliary, validation, options, model);

  std::optional<VariationalCheckpoint> checkpoint;
  if (!options.checkpoint.empty()) {
    checkpoint.emplace(options.checkpoint, auxiliary, validation, options);
    if (const Status status = checkpoint->load(fit, model, trainer.optimisers()); !status) return status.error();
    for (const EpochSummary& summary : fit.history) progress(summary);
  }
  while (fit.history.empty() || !is_done(fit.history, options)) {
    EpochSummary summary = trainer.run_epoch(fit.history.size() + 1);
    if (!std::isfinite(summary.validation.elbo()))
      return Error{ErrorCode::kInvalidInput, "training diverged in epoch " + std::to_string(summary.epoch) +
                                                 ": the validation ELBO is not finite; try a lower learning rate"};
    const std::size_t best = best_epoch(fit.history);
    summary.best = best == 0 || summary.validation.elbo() > fit.history[best - 1].validation.elbo();
    if (summary.best) fit.model = model;
    fit.history.push_back(summary);
    if (checkpoint)
      if (const Status status = checkpoint->save(fit, model, trainer.optimisers()); !status) return status.error();
    progress(summary);
  }
  return fit;
}

Result<MechanismSpec> to_mechanism(const VariationalModel& model, const InputSchema& input,
                                   const std::optional<LabelSchema>& label, std::int64_t resolution,
                                   std::map<std::string, std::string> provenance) {
  auto encoder = model.encoder().to_network();
  if (!encoder) return encoder.error();
  auto decoder = model.decoder().to_network();
  if (!decoder) return decoder.error();
  const OutputMap output = model.options().likelihood == Likelihood::kGaussian ? OutputMap::kNone : OutputMap::kSigmoid;
  return MechanismSpec{input,
                       label,
                       std::move(*encoder),
                       L1LatticeSpec{static_cast<double>(model.options().l1_radius), resolution},
                       ChannelFamily::kLatticeLaplace,
                       std::move(provenance),
                       Decoder{std::move(*decoder), output}};
}

}  // namespace sotto
