// `sotto train`: mechanisms from auxiliary data. Codes and what is aligned with them have a file of their own.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>

#include "sotto/data/permutation.h"
#include "sotto/linear/pca.h"
#include "sotto/train/variational_training.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

struct PcaCommand : TrainOptions {
  LatticeOptions lattice;
  double l1_radius = 0;
};

struct VrlmCommand : TrainOptions {
  LatticeOptions lattice;
  std::string validation, epsilon_pretrain, likelihood = "bernoulli";
  std::string hidden = "400,150,50";
  double held_out = 0.1;
  bool quiet = false;
  VariationalTrainingOptions training;
};

void train_pca(const PcaCommand& options) {
  const Schemas schemas = options.schemas();
  const Dataset auxiliary = load_unlabelled(options.input, schemas.input);
  PcaOptions pca{options.lattice.dimension, std::nullopt, options.lattice.resolution};
  if (options.l1_radius != 0) pca.l1_radius = options.l1_radius;
  const PcaFit fit = fit_pca(auxiliary, schemas.input, schemas.label, pca).value_or_throw();
  const Mechanism mechanism = Mechanism::make(fit.spec).value_or_throw();
  mechanism.save(options.output).or_throw();
  if (options.json) {
    std::cout << nlohmann::json{{"mechanism", options.output},
                                {"id", to_hex(mechanism.id())},
                                {"auxiliary_records", auxiliary.rows},
                                {"explained_variance", fit.explained_variance},
                                {"l1_radius", fit.l1_radius}}
                     .dump()
              << '\n';
    return;
  }
  std::cout << "fitted " << options.lattice.dimension << " principal components to " << auxiliary.rows
            << " records: they explain " << static_cast<int>(fit.explained_variance * 1000 + 0.5) / 10.0
            << " % of the variance\n"
            << "wrote " << options.output << " (" << mechanism.bytes().size() << " bytes, l1_radius " << fit.l1_radius
            << ")\n";
}

VariationalTrainingOptions training_options(const VrlmCommand& options) {
  VariationalTrainingOptions training = options.training;
  training.model.dimension = options.lattice.dimension;
  training.model.hidden = widths_from(options.hidden);
  training.model.likelihood = likelihood_named(options.likelihood).value_or_throw();
  if (options.epsilon_pretrain == "learnt")
    training.model.scale = PosteriorScale::kLearnt;
  else if (options.epsilon_pretrain == "none")
    training.model.scale = PosteriorScale::kZero;
  else if (!CLI::detail::lexical_cast(options.epsilon_pretrain, training.model.epsilon_pretrain))
    throw Failure({ErrorCode::kInvalidArgument, "epsilon-pretrain: expected a positive number, learnt or none, got '" +
                                                    options.epsilon_pretrain + "'"});
  return training;
}

// Without a file of its own, validation takes a share of the auxiliary records.
std::pair<Dataset, Dataset> training_and_validation(const VrlmCommand& options, const InputSchema& schema) {
  Dataset auxiliary = load_unlabelled(options.input, schema);
  if (!options.validation.empty()) return {std::move(auxiliary), load_unlabelled(options.validation, schema)};
  const std::array shares{options.held_out, 1 - options.held_out};
  const auto parts = split(static_cast<std::uint32_t>(auxiliary.rows), shares, options.training.seed).value_or_throw();
  return {select_rows(auxiliary, parts[1]), select_rows(auxiliary, parts[0])};
}

void print_variational_epoch(const EpochSummary& epoch, const VariationalTrainingOptions& training) {
  std::fprintf(stderr,
               "epoch %3zu/%zu  ELBO %.2f (reconstruction %.2f, KL %.2f), validation %.2f%s  mean latent norm %.2f  "
               "%.1f s, at most %.0f s left\n",
               epoch.epoch, training.max_epochs, epoch.training.elbo(), epoch.training.reconstruction,
               epoch.training.divergence, epoch.validation.elbo(), epoch.best ? " (best)" : "",
               epoch.validation.latent_norm, epoch.seconds,
               epoch.seconds * static_cast<double>(training.max_epochs - epoch.epoch));
  if (has_collapsed(epoch.validation, training.model))
    std::fprintf(stderr,
                 "warning: the latents have collapsed onto the origin; try --extra-reconstructions 1 or a larger "
                 "--epsilon-pretrain\n");
}

std::map<std::string, std::string> provenance_of(const VrlmCommand& options, const VariationalFit& fit,
                                                 std::size_t records) {
  std::string scale = std::to_string(fit.model.scale());
  return {{"method", "vrlm"},
          {"auxiliary_records", std::to_string(records)},
          {"hidden", options.hidden},
          {"epsilon_pretrain", options.epsilon_pretrain},
          {"posterior_scale", scale},
          {"likelihood", options.likelihood},
          {"epochs", std::to_string(fit.history.size())},
          {"seed", std::to_string(options.training.seed)}};
}

void train_vrlm(const VrlmCommand& options) {
  const Schemas schemas = options.schemas();
  const VariationalTrainingOptions training = training_options(options);
  const auto [auxiliary, validation] = training_and_validation(options, schemas.input);
  const VariationalFit fit = train_variational(auxiliary, validation, training, [&](const EpochSummary& epoch) {
                               if (!options.quiet) print_variational_epoch(epoch, training);
                             }).value_or_throw();
  const Mechanism mechanism =
      Mechanism::make(to_mechanism(fit.model, schemas.input, schemas.label, options.lattice.resolution,
                                   provenance_of(options, fit, auxiliary.rows))
                          .value_or_throw())
          .value_or_throw();
  mechanism.save(options.output).or_throw();
  const auto& best =
      *std::find_if(fit.history.rbegin(), fit.history.rend(), [](const auto& epoch) { return epoch.best; });
  if (options.json)
    std::cout << nlohmann::json{{"mechanism", options.output},
                                {"id", to_hex(mechanism.id())},
                                {"auxiliary_records", auxiliary.rows},
                                {"epochs", fit.history.size()},
                                {"best_epoch", best.epoch},
                                {"validation_elbo", best.validation.elbo()},
                                {"mean_latent_norm", best.validation.latent_norm},
                                {"collapsed", has_collapsed(best.validation, training.model)}}
                     .dump()
              << '\n';
  else
    std::cout << "trained on " << auxiliary.rows << " records for " << fit.history.size() << " epochs: validation ELBO "
              << best.validation.elbo() << " nats a record after epoch " << best.epoch << "\nwrote " << options.output
              << " (" << mechanism.bytes().size() << " bytes)\n";
}

void add_pca(CLI::App& train) {
  auto options = std::make_shared<PcaCommand>();
  CLI::App& pca = *train.add_subcommand("pca", "Principal components, L1 lattice, Laplace noise");
  options->add_to(pca);
  options->lattice.add_to(pca);
  pca.add_option("--l1-radius", options->l1_radius, "Radius of the L1 ball (default: median norm of the encodings)");
  pca.footer(
      "Example: sotto train pca --input data/mnist/train-images-idx3-ubyte --image 28x28 --classes 10 --output "
      "mnist.sotto");
  pca.callback([options] { train_pca(*options); });
}

void add_vrlm(CLI::App& train) {
  auto options = std::make_shared<VrlmCommand>();
  VariationalTrainingOptions& training = options->training;
  CLI::App& vrlm = *train.add_subcommand("vrlm", "The variational Laplace model of the papers: V-RLM");
  options->add_to(vrlm);
  options->lattice.add_to(vrlm);
  auto* validation = vrlm.add_option("--validation", options->validation, "Records that decide when to stop");
  vrlm.add_option("--held-out", options->held_out, "Without --validation, the share of the input used for it")
      ->excludes(validation)
      ->check(CLI::Range(0.001, 0.5))
      ->capture_default_str();
  vrlm.add_option("--l1-radius", training.model.l1_radius, "Radius of the L1 ball")->capture_default_str();
  vrlm.add_option("--epsilon-pretrain", options->epsilon_pretrain,
                  "Noise while training, as the epsilon it would give: a number, learnt, or none. It makes the "
                  "representation robust and promises nothing: epsilon is chosen at release")
      ->required();
  vrlm.add_option("--hidden", options->hidden, "Widths of the encoder's hidden layers, or none for a linear model")
      ->capture_default_str();
  vrlm.add_option("--likelihood", options->likelihood, "bernoulli, gaussian or logit-gaussian")->capture_default_str();
  vrlm.add_option("--extra-reconstructions", training.model.extra_reconstructions,
                  "AutoGen's m: the reconstruction counts 1 + m times against the KL term")
      ->capture_default_str();
  vrlm.add_option("--batch", training.batch, "Records a step")->capture_default_str();
  vrlm.add_option("--learning-rate", training.learning_rate, "Of Adam")->capture_default_str();
  vrlm.add_option("--epochs", training.max_epochs, "At most")->capture_default_str();
  vrlm.add_option("--patience", training.patience, "Stop after so many epochs without a better validation ELBO")
      ->capture_default_str();
  vrlm.add_option("--seed", training.seed, "The same seed gives the same mechanism")->capture_default_str();
  vrlm.add_option("--checkpoint", training.checkpoint, "Kept after every epoch; an interrupted run goes on from it");
  vrlm.add_flag("--quiet", options->quiet, "No progress");
  vrlm.footer(
      "Example: sotto train vrlm --input data/mnist/train-images-idx3-ubyte --image 28x28 --classes 10 --l1-radius 7.5 "
      "--epsilon-pretrain 13 --output mnist.sotto");
  vrlm.callback([options] { train_vrlm(*options); });
}

}  // namespace

void add_train(CLI::App& app) {
  CLI::App& train = *app.add_subcommand("train", "Learn a mechanism from auxiliary data");
  train.require_subcommand(1);
  add_pca(train);
  add_vrlm(train);
  add_train_codes(train);
  add_train_crlm(train);
  add_train_aligned(train);
  add_train_directions(train);
}

}  // namespace sotto::cli
