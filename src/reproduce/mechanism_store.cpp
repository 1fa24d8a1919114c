#include "sotto/reproduce/mechanism_store.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "sotto/backprop/encode_all.h"
#include "sotto/linear/direction_mechanism.h"
#include "sotto/linear/pca.h"
#include "sotto/plan/code_plan.h"
#include "sotto/plan/stand_in_classes.h"
#include "sotto/train/aligned_training.h"
#include "sotto/train/code_mechanism.h"
#include "sotto/train/contrastive_training.h"
#include "sotto/train/laplace_mechanism.h"
#include "sotto/train/variational_training.h"
#include "sotto/wire/atomic_file.h"
#include "sotto/wire/sha256.h"

namespace sotto {
namespace {

// To be raised with every change of the code that changes what is planned.
constexpr int kPlanVersion = 2;
constexpr std::int64_t kResolution = std::int64_t{1} << 16;
constexpr std::int64_t kFeatureResolution = 255;  // pixels have 256 levels

std::string digest_of(const std::string& text) { return to_hex(sha256(std::as_bytes(std::span(text)))).substr(0, 16); }

LabelSchema numbered_classes(std::int32_t classes) {
  LabelSchema label{"label", {}};
  for (std::int32_t i = 0; i < classes; ++i) label.classes.push_back(std::to_string(i));
  return label;
}

Result<VariationalTrainingOptions> vrlm_options(const Settings& settings, std::uint64_t seed) {
  VariationalTrainingOptions options;
  options.model.dimension = settings.dimension;
  options.model.hidden = settings.hidden;
  options.model.l1_radius = static_cast<float>(settings.l1_radius);
  options.model.extra_reconstructions = static_cast<float>(settings.extra_reconstructions);
  const auto likelihood = likelihood_named(settings.likelihood);
  if (!likelihood) return likelihood.error();
  options.model.likelihood = *likelihood;
  options.max_epochs = settings.epochs;
  options.patience = settings.patience;
  options.seed = seed;
  if (settings.epsilon_pretrain == "learnt")
    options.model.scale = PosteriorScale::kLearnt;
  else if (settings.epsilon_pretrain == "none")
    options.model.scale = PosteriorScale::kZero;
  else
    options.model.epsilon_pretrain = std::strtof(settings.epsilon_pretrain.c_str(), nullptr);
  return options;
}

// Features as they are, for the mechanisms that privatise them one by one or as one vector.
Result<MechanismSpec> identity_mechanism(const Settings& settings, const Parts& parts, const InputSchema& input,
                                         const LabelSchema& label) {
  auto network = Network::make(input.width(), {});
  if (!network) return network.error();
  const auto spec = [&](ConstraintSpec constraint, ChannelFamily family) {
    return MechanismSpec{input,       label, *network, std::move(constraint), family, {{"method", settings.channel}},
                         std::nullopt};
  };
  if (settings.channel == "feature-laplace")
    return spec(FeatureBoxSpec{kFeatureResolution}, ChannelFamily::kFeatureLaplace);
  if (settings.channel == "duchi") return spec(FeatureBoxSpec{kFeatureResolution}, ChannelFamily::kDuchi);
  if (settings.channel != "privunit")
    return Error{ErrorCode::kInvalidInput, "experiment: noise: identity goes with feature-laplace, duchi or privunit"};
  double longest = 0;  // of the auxiliary records, as the papers bound their features
  for (std::size_t row = 0; row < parts.auxiliary.rows; ++row) {
    double square = 0;
    for (const float value : std::span(parts.auxiliary.values).subspan(row * input.width(), input.width()))
      square += static_cast<double>(value) * static_cast<double>(value);
    longest = std::max(longest, std::sqrt(square));
  }
  return spec(DirectionAndLengthSpec{longest, kResolution}, ChannelFamily::kPrivUnit);
}

// One line an epoch: whose, how far, how well, how long.
std::string epoch_line(const char* what, std::size_t epoch, std::size_t epochs, const char* measure, double value,
                       double seconds) {
  char text[160];
  std::snprintf(text, sizeof(text), "%s: epoch %zu/%zu, %s %.3f, %.1f s", what, epoch, epochs, measure, value, seconds);
  return text;
}

ViewOptions views_of(const Settings& settings) {
  return {.augmentation = augmentation_named(settings.views).value_or_throw()};
}

ContrastiveTrainingOptions contrastive_options(const Settings& settings) {
  ContrastiveTrainingOptions options;
  if (settings.contrastive != "dense")
    make_convolutional(options, settings.contrastive == "wide" ? kManyFilters : kFilters);
  options.views = views_of(settings);
  return options;
}

// What bears on a contrastive encoder and may change with the program.
std::string recipe_of(const Settings& settings) {
  const ContrastiveTrainingOptions options = contrastive_options(settings), usual;
  std::string recipe = settings.contrastive;
  if (options.batch != usual.batch) recipe += ", batches of " + std::to_string(options.batch);
  if (settings.views != "digits") recipe += ", views of " + settings.views;  // digits are all that there was
  return recipe;
}

AssignmentOptions assignment_of(const Settings& settings, std::size_t codes, std::uint64_t seed) {
  return {.codes = codes, .method = code_method_named(settings.clusters).value_or_throw(), .seed = seed};
}

// Settings that came later are named only where they are used, so that mechanisms keep their keys.
void add_later_settings(const Settings& settings, nlohmann::json& key) {
  if (recipe_of(settings) != "dense") key["contrastive"] = recipe_of(settings);
  if (settings.clusters != "spherical") key["clusters"] = settings.clusters;
}

}  // namespace

MechanismStore::MechanismStore(std::filesystem::path directory, std::function<void(const std::string&)> progress)
    : directory_(std::move(directory)), progress_(std::move(progress)) {}

LossProgress MechanismStore::losses_of(const char* what, std::size_t epochs) const {
  return [this, what, epochs](const LossEpoch& epoch) {
    progress_(epoch_line(what, epoch.epoch, epochs, "loss", epoch.loss, epoch.seconds));
  };
}

Result<Mechanism> MechanismStore::stored(
    const std::string& key, const std::function<Result<MechanismSpec>(const std::filesystem::path&)>& train) const {
  std::filesystem::create_directories(directory_);
  const std::filesystem::path path = directory_ / (digest_of(key) + ".sotto");
  if (std::filesystem::exists(path)) return Mechanism::load(path);
  const std::filesystem::path checkpoint = directory_ / (digest_of(key) + ".checkpoint");
  auto spec = train(checkpoint);
  if (!spec) return spec.error();
  auto mechanism = Mechanism::make(std::move(*spec));
  if (!mechanism) return mechanism.error();
  if (const Status status = mechanism->save(path); !status) return status.error();
  std::filesystem::remove(checkpoint);
  return mechanism;
}

Result<Mechanism> MechanismStore::mechanism(const Settings& settings, const Parts& parts, const InputSchema& input,
                                            std::uint64_t seed) const {
  const LabelSchema label = numbered_classes(parts.classes);
  nlohmann::json key = {
      {"encoder", settings.encoder}, {"classes", parts.classes}, {"data", parts.mechanism_digests}, {"seed", seed}};
  if (settings.encoder == "identity") {
    key["noise"] = settings.channel;
    return stored(key.dump(), [&](const auto&) { return identity_mechanism(settings, parts, input, label); });
  }
  if (settings.encoder == "directions") {
    key["contrastive"] = {recipe_of(settings), settings.contrastive_epochs};
    key["dimension"] = settings.dimension;
    return stored(key.dump(), [&](const auto&) -> Result<MechanismSpec> {
      const auto encoder = contrastive_encoder(settings, parts, input, seed);
      if (!encoder) return encoder.error();
      const Dataset features{parts.auxiliary.rows,
                             encoder->output_width(),
                             encode_all(*encoder, parts.auxiliary.values, parts.auxiliary.rows),
                             {}};
      return direction_mechanism(*encoder, features, input, label, {settings.dimension, kResolution},
                                 {{"method", "directions"}});
    });
  }
  if (settings.encoder == "codes") {
    const auto book = codebook(settings, parts, input, seed);
    if (!book) return book.error();
    const auto family = channel_family_named(settings.channel);
    if (!family) return family.error();
    MechanismSpec spec = book->spec();
    spec.label = label;
    spec.channel = *family;
    return Mechanism::make(std::move(spec));
  }
  key["dimension"] = settings.dimension;
  if (settings.encoder == "pca")
    return stored(key.dump(), [&](const auto&) -> Result<MechanismSpec> {
      auto fit = fit_pca(parts.auxiliary, input, label, {settings.dimension, std::nullopt, kResolution});
      if (!fit) return fit.error();
      return std::move(fit->spec);
    });
  key["hidden"] = settings.hidden;
  key["l1_radius"] = settings.l1_radius;
  key["epsilon_pretrain"] = settings.epsilon_pretrain;
  key["epochs"] = settings.epochs;
  if (settings.encoder == "aligned") {
    key["codes"] = {settings.codes, settings.contrastive_epochs};
    add_later_settings(settings, key);
    return stored(key.dump(), [&](const auto&) -> Result<MechanismSpec> {
      const auto book = codebook(settings, parts, input, seed);
      if (!book) return book.error();
      AlignedTrainingOptions options;
      options.dimension = settings.dimension;
      options.hidden = settings.hidden;
      options.l1_radius = static_cast<float>(settings.l1_radius);
      options.epsilon_pretrain = std::strtof(settings.epsilon_pretrain.c_str(), nullptr);
      options.epochs = settings.epochs;
      options.seed = seed;
      const auto codes = codes_of(*book, parts.auxiliary);
      if (!codes) return codes.error();
      const auto encoder =
          train_aligned(parts.auxiliary, *codes, settings.codes, options, losses_of("aligned encoder", options.epochs));
      if (!encoder) return encoder.error();
      return laplace_mechanism(*encoder, options.l1_radius, input, label, kResolution, {{"method", "aligned"}});
    });
  }
  if (settings.encoder == "crlm") {
    key["contrastive"] = recipe_of(settings);
    return stored(key.dump(), [&](const auto&) -> Result<MechanismSpec> {
      ContrastiveTrainingOptions options = contrastive_options(settings);
      options.latent = LatentOptions{settings.dimension, static_cast<float>(settings.l1_radius),
                                     std::strtof(settings.epsilon_pretrain.c_str(), nullptr)};
      options.epochs = settings.epochs;
      options.seed = seed;
      const auto encoder = train_contrastive(parts.auxiliary, input, options, losses_of("C-RLM", options.epochs));
      if (!encoder) return encoder.error();
      return laplace_mechanism(*encoder, options.latent->l1_radius, input, label, kResolution, {{"method", "crlm"}});
    });
  }
  key["likelihood"] = settings.likelihood;
  key["extra_reconstructions"] = settings.extra_reconstructions;
  key["patience"] = settings.patience;
  return stored(key.dump(), [&](const std::filesystem::path& checkpoint) -> Result<MechanismSpec> {
    auto options = vrlm_options(settings, seed);
    if (!options) return options.error();
    options->checkpoint = checkpoint;
    const auto fit = train_variational(parts.auxiliary, parts.validation, *options, [&](const EpochSummary& epoch) {
      progress_(epoch_line("V-RLM", epoch.epoch, options->max_epochs, "validation ELBO", epoch.validation.elbo(),
                           epoch.seconds));
    });
    if (!fit) return fit.error();
    return to_mechanism(fit->model, input, label, kResolution, {{"method", "vrlm"}});
  });
}

Result<Network> MechanismStore::contrastive_encoder(const Settings& settings, const Parts& parts,
                                                    const InputSchema& input, std::uint64_t seed) const {
  const nlohmann::json key = {{"contrastive_encoder", recipe_of(settings)},
                              {"epochs", settings.contrastive_epochs},
                              {"data", parts.mechanism_digests},
                              {"seed", seed}};
  // Files hold mechanisms: the encoder is kept with a codebook of two, which nobody looks at.
  const auto mechanism = stored(key.dump(), [&](const auto&) -> Result<MechanismSpec> {
    ContrastiveTrainingOptions options = contrastive_options(settings);
    options.epochs = settings.contrastive_epochs;
    options.seed = seed;
    const auto encoder =
        train_contrastive(parts.auxiliary, input, options, losses_of("contrastive encoder", options.epochs));
    if (!encoder) return encoder.error();
    auto fit = code_mechanism(*encoder, parts.auxiliary, input, std::nullopt, {.assignment = {.codes = 2}}, {});
    if (!fit) return fit.error();
    return std::move(fit->spec);
  });
  if (!mechanism) return mechanism.error();
  return mechanism->spec().encoder;
}

Result<Mechanism> MechanismStore::codebook(const Settings& settings, const Parts& parts, const InputSchema& input,
                                           std::uint64_t seed) const {
  nlohmann::json key = {{"codebook", settings.codes},
                        {"epochs", settings.contrastive_epochs},
                        {"data", parts.mechanism_digests},
                        {"seed", seed}};
  add_later_settings(settings, key);
  return stored(key.dump(), [&](const auto&) -> Result<MechanismSpec> {
    const auto encoder = contrastive_encoder(settings, parts, input, seed);
    if (!encoder) return encoder.error();
    auto fit =
        code_mechanism(*encoder, parts.auxiliary, input, std::nullopt,
                       {.assignment = assignment_of(settings, settings.codes, seed), .views = views_of(settings)},
                       {{"method", "codes"}});
    if (!fit) return fit.error();
    return std::move(fit->spec);
  });
}

Result<Settings> MechanismStore::planned(const Settings& settings, double epsilon, std::size_t reports,
                                         const Parts& parts, const InputSchema& input, std::uint64_t seed) const {
  const nlohmann::json key = {{"plan", recipe_of(settings)},
                              {"version", kPlanVersion},
                              {"clusters", settings.clusters},
                              {"epochs", settings.contrastive_epochs},
                              {"epsilon", epsilon_text(epsilon)},
                              {"reports", reports},
                              {"classes", parts.classes},
                              {"data", parts.mechanism_digests},
                              {"seed", seed}};
  const std::filesystem::path path = directory_ / (digest_of(key.dump()) + ".plan");
  if (!std::filesystem::exists(path)) {
    const auto encoder = contrastive_encoder(settings, parts, input, seed);
    if (!encoder) return encoder.error();
    const std::vector<float> features = encode_all(*encoder, parts.auxiliary.values, parts.auxiliary.rows);
    const std::size_t width = encoder->output_width();
    // Codebooks are kept: those of one epsilon's plan are those of the next.
    const auto find_codes = [&](std::size_t codes) -> Result<CodeAssignment> {
      Settings with_codes = settings;
      with_codes.codes = codes;
      const auto book = codebook(with_codes, parts, input, seed);
      if (!book) return book.error();
      const auto& spec = std::get<CodebookSpec>(book->spec().constraint);
      return assign_by_rule(features, width, codes, {spec.centroids, spec.offsets});
    };
    const auto classes = static_cast<std::size_t>(parts.classes);
    const auto parsed = Epsilon::parse(epsilon_text(epsilon));
    if (!parsed) return parsed.error();
    const auto stand_ins = stand_in_classes(features, width, classes, seed);
    const auto plan = plan_codes(find_codes, {features, width, stand_ins, classes},
                                 {.epsilons = {*parsed}, .reports = reports, .codes = {}, .repeats = 5, .seed = seed},
                                 [](const Prediction&) {});
    if (!plan) return plan.error();
    const Prediction& best = plan->best.front();
    const std::string text = nlohmann::json{{"codes", best.codes}, {"noise", name_of(best.channel)}}.dump();
    if (const Status status = write_file_atomically(path, std::as_bytes(std::span(text))); !status)
      return status.error();
  }
  std::ifstream stream(path);
  const auto kept = nlohmann::json::parse(stream, nullptr, false);
  if (!kept.is_object() || !kept.contains("codes") || !kept.contains("noise"))
    return Error{ErrorCode::kCorruptFile, "plan: " + path.string() + " is damaged; remove it"};
  Settings chosen = settings;
  chosen.codes = kept["codes"].get<std::size_t>();
  if (settings.channel == "plan") chosen.channel = kept["noise"].get<std::string>();
  return chosen;
}

}  // namespace sotto
