#include "sotto/reproduce/mechanism_store.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "sotto/linear/pca.h"
#include "sotto/train/aligned_training.h"
#include "sotto/train/code_mechanism.h"
#include "sotto/train/contrastive_training.h"
#include "sotto/train/laplace_mechanism.h"
#include "sotto/train/variational_training.h"
#include "sotto/wire/sha256.h"

namespace sotto {
namespace {

constexpr std::int64_t kResolution = std::int64_t{1} << 16;
constexpr std::int64_t kFeatureResolution = 255;  // pixels have 256 levels

std::string digest_of(const std::string& text) { return to_hex(sha256(std::as_bytes(std::span(text)))).substr(0, 16); }

std::string digest_of(const Dataset& data) {
  return to_hex(sha256(std::as_bytes(std::span(data.values)))).substr(0, 16);
}

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

std::string line(const char* format, const std::string& what, std::size_t epoch, std::size_t epochs, double value,
                 double seconds) {
  char text[160];
  std::snprintf(text, sizeof(text), format, what.c_str(), epoch, epochs, value, seconds);
  return text;
}

}  // namespace

MechanismStore::MechanismStore(std::filesystem::path directory, std::function<void(const std::string&)> progress)
    : directory_(std::move(directory)), progress_(std::move(progress)) {}

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
  nlohmann::json key = {{"encoder", settings.encoder},
                        {"classes", parts.classes},
                        {"data", {digest_of(parts.auxiliary), digest_of(parts.validation)}},
                        {"seed", seed}};
  if (settings.encoder == "identity") {
    key["noise"] = settings.channel;
    return stored(key.dump(), [&](const auto&) { return identity_mechanism(settings, parts, input, label); });
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
      const auto encoder = train_aligned(parts.auxiliary, *codes, settings.codes, options, [&](const LossEpoch& epoch) {
        progress_(line("%s: epoch %zu/%zu, loss %.3f, %.1f s", "aligned encoder", epoch.epoch, options.epochs,
                       epoch.loss, epoch.seconds));
      });
      if (!encoder) return encoder.error();
      return laplace_mechanism(*encoder, options.l1_radius, input, label, kResolution, {{"method", "aligned"}});
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
      progress_(line("%s: epoch %zu/%zu, validation ELBO %.2f, %.1f s", "V-RLM", epoch.epoch, options->max_epochs,
                     epoch.validation.elbo(), epoch.seconds));
    });
    if (!fit) return fit.error();
    return to_mechanism(fit->model, input, label, kResolution, {{"method", "vrlm"}});
  });
}

Result<Mechanism> MechanismStore::codebook(const Settings& settings, const Parts& parts, const InputSchema& input,
                                           std::uint64_t seed) const {
  const nlohmann::json key = {{"codebook", settings.codes},
                              {"epochs", settings.contrastive_epochs},
                              {"data", {digest_of(parts.auxiliary), digest_of(parts.validation)}},
                              {"seed", seed}};
  return stored(key.dump(), [&](const auto&) -> Result<MechanismSpec> {
    ContrastiveTrainingOptions options;
    options.epochs = settings.contrastive_epochs;
    options.seed = seed;
    const auto encoder = train_contrastive(parts.auxiliary, *input.image, options, [&](const LossEpoch& epoch) {
      progress_(line("%s: epoch %zu/%zu, loss %.3f, %.1f s", "contrastive encoder", epoch.epoch, options.epochs,
                     epoch.loss, epoch.seconds));
    });
    if (!encoder) return encoder.error();
    auto fit = code_mechanism(*encoder, parts.auxiliary, input, std::nullopt, {.codes = settings.codes, .seed = seed},
                              {{"method", "codes"}});
    if (!fit) return fit.error();
    return std::move(fit->spec);
  });
}

}  // namespace sotto
