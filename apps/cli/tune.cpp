// `sotto tune`: searches for the parameters of a V-RLM as a collector may: candidates are trained on auxiliary records,
// judged by a classifier learnt from reports, which a validation panel judges in turn through randomised response. Here
// two files stand for the two groups of data owners; nothing else is read of them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "sotto/data/open_source.h"
#include "sotto/data/permutation.h"
#include "sotto/evaluate/tuning.h"
#include "sotto/learn/learner.h"
#include "sotto/learn/prediction.h"
#include "sotto/train/variational_training.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

constexpr const char* kJoint = "joint";

struct TuneOptions : TrainOptions {
  std::string training, training_labels, validation, validation_labels;
  std::string epsilon, epsilon_training_total, epsilon_per_query, epsilon_total;
  std::vector<std::string> lambdas;
  std::vector<float> l1_radii, epsilons_pretrain;
  std::vector<std::size_t> dimensions = {8};
  std::size_t random = 0;
  std::string method = "denoising", likelihood = "bernoulli", hidden = "400,150,50", classifier_hidden = "50";
  VariationalTrainingOptions model;
  std::int64_t resolution = std::int64_t{1} << 16;
  bool quiet = false;
};

struct TuneCandidate {
  std::string lambda;  // as it was written, or kJoint
  float l1_radius, epsilon_pretrain;
  std::size_t dimension;
};

ReleaseParameters parameters_of(const TuneOptions& options, const std::string& lambda) {
  ReleaseParameters parameters{parse_epsilon("epsilon", options.epsilon)};
  parameters.joint = lambda == kJoint;
  if (parameters.joint && options.method != "codes")
    misuse("lambda joint: such reports are learnt from with --method codes, got " + options.method);
  if (!parameters.joint) parameters.lambda = parse_lambda(lambda).value_or_throw();
  return parameters;
}

std::vector<TuneCandidate> candidates_of(const TuneOptions& options) {
  std::vector<TuneCandidate> grid;
  for (const std::size_t dimension : options.dimensions)
    for (const float l1_radius : options.l1_radii)
      for (const float epsilon_pretrain : options.epsilons_pretrain)
        for (const std::string& lambda : options.lambdas) {
          parameters_of(options, lambda);  // or fail before anything is trained
          grid.push_back({lambda, l1_radius, epsilon_pretrain, dimension});
        }
  if (options.random == 0) return grid;
  std::vector<TuneCandidate> drawn;
  for (const std::uint32_t i : permutation(static_cast<std::uint32_t>(grid.size()), options.model.seed))
    if (drawn.size() < options.random) drawn.push_back(grid[i]);
  return drawn;
}

Dataset load_group(const char* name, const std::string& records, const std::string& labels, const Schemas& schemas) {
  Dataset group =
      load(*open_source({records, labels, {}}, schemas.input, schemas.label).value_or_throw()).value_or_throw();
  if (group.rows == 0) misuse(std::string(name) + ": holds no records");
  return group;
}

// Who of the training group reports for which candidate. A member reports as often as its total allows, which, unless
// somebody says otherwise, is once: then each candidate has members of its own.
class TrainingGroup {
 public:
  TrainingGroup(Dataset members, const Epsilon& epsilon, const Epsilon& total, std::size_t candidates,
                std::uint64_t seed)
      : members_(std::move(members)), epsilon_(epsilon) {
    if (epsilon > total) misuse("epsilon-training-total: must be at least epsilon, got " + total.to_string());
    std::size_t reports = 1;
    for (Epsilon sum = epsilon; reports < candidates; ++reports) {
      sum = sum.plus(epsilon).value_or_throw();
      if (sum > total) break;
    }
    parts_.resize((candidates + reports - 1) / reports);
    const auto order = permutation(static_cast<std::uint32_t>(members_.rows), seed);
    for (std::size_t i = 0; i < order.size(); ++i) parts_[i % parts_.size()].push_back(order[i]);
  }

  ReportBatch report(std::size_t candidate, const Release& release, Entropy& entropy) {
    reports_a_member_ = std::max(reports_a_member_, candidate / parts_.size() + 1);
    const Dataset part = select_rows(members_, parts_[candidate % parts_.size()]);
    ReportBatch reports(release);
    reports.privatize(part.values, part.labels, part.rows, entropy).or_throw();
    return reports;
  }

  std::size_t parts() const { return parts_.size(); }
  std::size_t members() const { return members_.rows; }
  std::string spent() const {
    std::optional<Epsilon> sum;
    for (std::size_t i = 0; i < reports_a_member_; ++i) sum = sum ? sum->plus(epsilon_).value_or_throw() : epsilon_;
    return sum ? sum->to_string() : "0";
  }

 private:
  Dataset members_;
  Epsilon epsilon_;
  std::vector<std::vector<std::uint32_t>> parts_;
  std::size_t reports_a_member_ = 0;
};

// Candidates that differ in lambda alone share a mechanism.
class Mechanisms {
 public:
  Mechanisms(const TuneOptions& options, const Schemas& schemas)
      : options_(options), schemas_(schemas), auxiliary_(load_unlabelled(options.input, schemas.input)) {
    constexpr std::array kShares{0.1, 0.9};
    const auto parts = split(static_cast<std::uint32_t>(auxiliary_.rows), kShares, options.model.seed).value_or_throw();
    held_out_ = select_rows(auxiliary_, parts[0]);
    training_ = select_rows(auxiliary_, parts[1]);
  }

  const Dataset& auxiliary() const { return auxiliary_; }

  const Mechanism& of(const TuneCandidate& candidate) {
    const auto key = std::tuple(candidate.l1_radius, candidate.epsilon_pretrain, candidate.dimension);
    const auto known = trained_.find(key);
    if (known != trained_.end()) return known->second;
    return trained_.emplace(key, train(candidate)).first->second;
  }

 private:
  Mechanism train(const TuneCandidate& candidate) const {
    VariationalTrainingOptions training = options_.model;
    training.model.dimension = candidate.dimension;
    training.model.l1_radius = candidate.l1_radius;
    training.model.epsilon_pretrain = candidate.epsilon_pretrain;
    training.model.hidden = widths_from(options_.hidden);
    training.model.likelihood = likelihood_named(options_.likelihood).value_or_throw();
    const VariationalFit fit =
        train_variational(training_, held_out_, training, [](const EpochSummary&) {}).value_or_throw();
    auto spec = to_mechanism(fit.model, schemas_.input, schemas_.label, options_.resolution,
                             {{"method", "vrlm"},
                              {"chosen_by", "sotto tune"},
                              {"auxiliary_records", std::to_string(training_.rows)},
                              {"epsilon_pretrain", std::to_string(candidate.epsilon_pretrain)},
                              {"epochs", std::to_string(fit.history.size())},
                              {"seed", std::to_string(training.seed)}});
    return Mechanism::make(std::move(spec).value_or_throw()).value_or_throw();
  }

  const TuneOptions& options_;
  const Schemas& schemas_;
  Dataset auxiliary_, training_, held_out_;
  std::map<std::tuple<float, float, std::size_t>, Mechanism> trained_;
};

std::string described(const TuneCandidate& candidate) {
  char text[128];
  std::snprintf(text, sizeof(text), "lambda %-5s l1-radius %-6g epsilon-pretrain %-6g dimension %-3zu",
                candidate.lambda.c_str(), static_cast<double>(candidate.l1_radius),
                static_cast<double>(candidate.epsilon_pretrain), candidate.dimension);
  return text;
}

std::string described(const Proportion& accuracy) {
  char text[96];
  std::snprintf(text, sizeof(text), "%6.1f %%  (%g %% interval %.1f to %.1f)", 100 * accuracy.value, 100 * kConfidence,
                100 * accuracy.low, 100 * accuracy.high);
  return text;
}

nlohmann::json candidate_json(const TuneCandidate& candidate, const Proportion& accuracy) {
  return {{"lambda", candidate.lambda},
          {"l1_radius", candidate.l1_radius},
          {"epsilon_pretrain", candidate.epsilon_pretrain},
          {"dimension", candidate.dimension},
          {"accuracy", accuracy.value},
          {"low", accuracy.low},
          {"high", accuracy.high}};
}

void print_tune_json(const TuneOptions& options, const std::vector<TuneCandidate>& candidates, const Tuning& tuning,
                     const ValidationPanel& panel, const TrainingGroup& group) {
  nlohmann::json ranked = nlohmann::json::array();
  for (const auto& [number, accuracy] : tuning.ranked) ranked.push_back(candidate_json(candidates[number], accuracy));
  std::cout << nlohmann::json{{"mechanism", options.output},
                              {"best", ranked.front()},
                              {"ranked", ranked},
                              {"candidates", candidates.size()},
                              {"queries", panel.queries()},
                              {"epsilon_spent_validation", panel.spent()->epsilon.to_string()},
                              {"epsilon_spent_training", group.spent()},
                              {"stopped", tuning.stopped ? tuning.stopped->message : ""}}
                   .dump()
            << '\n';
}

void print_tune_text(const TuneOptions& options, const std::vector<TuneCandidate>& candidates, const Tuning& tuning,
                     const ValidationPanel& panel, const TrainingGroup& group) {
  std::printf("candidates by validated accuracy, best first\n");
  for (const auto& [number, accuracy] : tuning.ranked)
    std::printf("  %s %s\n", described(candidates[number]).c_str(), described(accuracy).c_str());
  if (tuning.stopped)
    std::printf("stopped after %zu of %zu candidates, the panel's budget is spent: %s\n", tuning.ranked.size(),
                candidates.size(), tuning.stopped->message.c_str());
  std::printf(
      "spent: epsilon = %s by each of %zu members of the validation group (%zu queries), at most %s by each of "
      "%zu of the training group\n",
      panel.spent()->epsilon.to_string().c_str(), panel.members(), panel.queries(), group.spent().c_str(),
      group.members());
  std::printf("the best of several noisy numbers flatters: a fresh panel tells how good it is\n");
  const std::string& lambda = candidates[tuning.ranked.front().candidate].lambda;
  std::printf("wrote %s; release with %s\n", options.output.c_str(),
              lambda == kJoint ? "--joint" : ("--lambda " + lambda).c_str());
  std::fflush(stdout);
}

struct Trial {
  const TuneOptions& options;
  const std::vector<TuneCandidate>& candidates;
  Mechanisms& mechanisms;
  TrainingGroup& group;
  const Dataset& validation;
  Entropy& entropy;

  Result<std::vector<bool>> operator()(std::size_t number) const try {
    const TuneCandidate& candidate = candidates[number];
    const Mechanism& mechanism = mechanisms.of(candidate);
    const ReleaseParameters parameters = parameters_of(options, candidate.lambda);
    const ReportBatch reports = group.report(number, mechanism.release(parameters).value_or_throw(), entropy);
    LearnOptions learning;
    learning.method = learn_method_named(options.method).value_or_throw();
    learning.hidden = widths_from(options.classifier_hidden);
    learning.seed = options.model.seed;
    const Learnt learnt = learn({.mechanism = mechanism,
                                 .reports = reports,
                                 .auxiliary = &mechanisms.auxiliary(),
                                 .classes = mechanism.spec().label->classes.size()},
                                learning)
                              .value_or_throw();
    // Each member does this for its own record; the collector learns a noisy bit of it, from the panel.
    const auto probabilities =
        predict(learnt.classifier, mechanism, validation.values, validation.rows).value_or_throw();
    return correctness(most_probable(probabilities, learnt.classifier.classes.size()), validation.labels)
        .value_or_throw();
  } catch (const Failure& failure) {
    return failure.error();
  }
};

void run_tune(const TuneOptions& options) {
  const Schemas schemas = options.schemas();
  if (!schemas.label) misuse("classes: needed, the labels are what is learnt");
  const std::vector<TuneCandidate> candidates = candidates_of(options);
  const Epsilon epsilon = parse_epsilon("epsilon", options.epsilon);
  const Epsilon training_total = options.epsilon_training_total.empty()
                                     ? epsilon
                                     : parse_epsilon("epsilon-training-total", options.epsilon_training_total);
  TrainingGroup group(load_group("training", options.training, options.training_labels, schemas), epsilon,
                      training_total, candidates.size(), options.model.seed);
  const Dataset validation = load_group("validation", options.validation, options.validation_labels, schemas);
  ValidationPanel panel =
      ValidationPanel::make(validation.rows, parse_epsilon("epsilon-per-query", options.epsilon_per_query),
                            parse_epsilon("epsilon-total", options.epsilon_total))
          .value_or_throw();
  Mechanisms mechanisms(options, schemas);
  if (!options.quiet)
    std::fprintf(stderr, "%zu candidates; %zu reports for each\n", candidates.size(), group.members() / group.parts());
  Entropy entropy;
  const Trial trial{options, candidates, mechanisms, group, validation, entropy};
  const Tuning tuning =
      tune(candidates.size(), trial, panel, kConfidence, entropy, [&](const TunedCandidate& tuned) {
        if (!options.quiet)
          std::fprintf(stderr, "%3zu/%zu  %s %s\n", tuned.candidate + 1, candidates.size(),
                       described(candidates[tuned.candidate]).c_str(), described(tuned.accuracy).c_str());
      }).value_or_throw();
  mechanisms.of(candidates[tuning.ranked.front().candidate]).save(options.output).or_throw();
  (options.json ? print_tune_json : print_tune_text)(options, candidates, tuning, panel, group);
}

void add_groups(CLI::App& command, TuneOptions& options) {
  command.add_option("--training", options.training, "Records of the training group, who report")->required();
  command.add_option("--training-labels", options.training_labels, "Their labels, when in a file of their own");
  command.add_option("--validation", options.validation, "Records of the validation group, who judge")->required();
  command.add_option("--validation-labels", options.validation_labels, "Their labels, when in a file of their own");
  command.add_option("--epsilon", options.epsilon, "Privacy budget of one report of the training group")->required();
  command.add_option("--epsilon-training-total", options.epsilon_training_total,
                     "What a member of the training group may spend on several reports (default: on one, so that "
                     "candidates share the group out among them)");
  command
      .add_option("--epsilon-per-query", options.epsilon_per_query,
                  "What a member of the validation group spends on each candidate")
      ->required();
  command.add_option("--epsilon-total", options.epsilon_total, "What it may spend in all; the search stops there")
      ->required();
}

void add_search(CLI::App& command, TuneOptions& options) {
  command
      .add_option("--lambda", options.lambdas,
                  "Shares of epsilon for the features, e.g. 0.3,0.5,0.7, or joint: "
                  "record and label as one, with the whole of it")
      ->delimiter(',')
      ->required();
  command.add_option("--l1-radius", options.l1_radii, "Radii of the L1 ball, e.g. 1,5")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->required();
  command.add_option("--epsilon-pretrain", options.epsilons_pretrain, "Noise while training, e.g. 5,10")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->required();
  command.add_option("--dimension", options.dimensions, "Of the representation, e.g. 4,8 (default: 8)")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000));
  command.add_option("--random", options.random, "Try so many combinations, drawn at random (default: all of them)")
      ->check(CLI::Range(1, 1000000));
}

}  // namespace

void add_tune(CLI::App& app) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App& command =
      *app.add_subcommand("tune", "Search for a V-RLM's parameters, every look at the data owners' records charged");
  options->add_to(command);
  add_groups(command, *options);
  add_search(command, *options);
  command
      .add_option("--method", options->method, "Of learning: denoising, student, codes, discriminant or label-noise")
      ->check(CLI::IsMember({"denoising", "student", "codes", "discriminant", "label-noise"}))
      ->capture_default_str();
  command.add_option("--hidden", options->hidden, "Widths of the encoder's hidden layers, or none")
      ->capture_default_str();
  command.add_option("--classifier-hidden", options->classifier_hidden, "Widths of the classifier's hidden layers")
      ->capture_default_str();
  command.add_option("--likelihood", options->likelihood, "bernoulli, gaussian or logit-gaussian")
      ->capture_default_str();
  command.add_option("--batch", options->model.batch, "Records a step of training")->capture_default_str();
  command.add_option("--learning-rate", options->model.learning_rate, "Of Adam")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--epochs", options->model.max_epochs, "Of training, at most")->capture_default_str();
  command.add_option("--patience", options->model.patience, "Epochs without a better ELBO before training ends")
      ->capture_default_str();
  command.add_option("--seed", options->model.seed, "Of training and the choice of candidates, never of the noise")
      ->capture_default_str();
  command.add_flag("--quiet", options->quiet, "No progress");
  command.footer(
      "Example: sotto tune --input auxiliary.idx --image 28x28 --classes 10 --training group1.idx --training-labels "
      "labels1.idx --validation group2.idx --validation-labels labels2.idx --epsilon 4 --lambda 0.5,0.7 --l1-radius 5 "
      "--epsilon-pretrain 5,10 --epsilon-per-query 0.5 --epsilon-total 2 --output best.sotto");
  command.callback([options] { run_tune(*options); });
}

}  // namespace sotto::cli
