#include "sotto/train/variational_checkpoint.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "sotto/mechanism/safetensors.h"
#include "sotto/wire/atomic_file.h"
#include "sotto/wire/sha256.h"

namespace sotto {
namespace {

constexpr std::array kOptimiserNames{"encoder", "decoder", "scale"};

nlohmann::json to_json(const VariationalTrainingOptions& options) {
  const VariationalModelOptions& model = options.model;
  return {{"dimension", model.dimension},
          {"hidden", model.hidden},
          {"l1_radius", model.l1_radius},
          {"scale", static_cast<int>(model.scale)},
          {"epsilon_pretrain", model.epsilon_pretrain},
          {"likelihood", name_of(model.likelihood)},
          {"extra_reconstructions", model.extra_reconstructions},
          {"batch", options.batch},
          {"learning_rate", options.learning_rate},
          {"seed", options.seed}};
}

std::string digest_of(const Dataset& auxiliary, const Dataset& validation, const VariationalTrainingOptions& options) {
  Sha256 hash;
  for (const Dataset* data : {&auxiliary, &validation}) hash.update(std::as_bytes(std::span(data->values)));
  const std::string text = to_json(options).dump();
  hash.update(std::as_bytes(std::span(text)));
  return to_hex(hash.finish());
}

nlohmann::json to_json(const Objective& objective) {
  return {objective.reconstruction, objective.divergence, objective.latent_norm};
}

Objective objective_from(const nlohmann::json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

nlohmann::json to_json(const std::vector<EpochSummary>& history) {
  nlohmann::json json = nlohmann::json::array();
  for (const EpochSummary& summary : history)
    json.push_back({{"training", to_json(summary.training)},
                    {"validation", to_json(summary.validation)},
                    {"seconds", summary.seconds},
                    {"best", summary.best}});
  return json;
}

std::vector<EpochSummary> history_from(const nlohmann::json& json) {
  std::vector<EpochSummary> history;
  for (const nlohmann::json& entry : json)
    history.push_back({history.size() + 1, objective_from(entry.at("training")), objective_from(entry.at("validation")),
                       entry.at("seconds").get<double>(), entry.at("best").get<bool>()});
  return history;
}

Tensor tensor_of(std::span<const float> values) { return {{values.size()}, {values.begin(), values.end()}}; }

// Throws std::out_of_range or Failure: load() turns both into its error.
void fill(std::span<float> values, const Safetensors& file, const std::string& name) {
  const Tensor& tensor = file.tensors.at(name);
  if (tensor.values.size() != values.size()) throw Failure({ErrorCode::kCorruptFile, name + " has another size"});
  std::copy(tensor.values.begin(), tensor.values.end(), values.begin());
}

void put(Safetensors& file, const std::string& prefix, const VariationalModel& model) {
  file.tensors[prefix + ".encoder"] = tensor_of(model.encoder().parameters());
  file.tensors[prefix + ".decoder"] = tensor_of(model.decoder().parameters());
  const float log_scale = model.log_scale();
  file.tensors[prefix + ".log_scale"] = tensor_of({&log_scale, 1});
}

void get(const Safetensors& file, const std::string& prefix, VariationalModel& model) {
  fill(model.encoder().parameters(), file, prefix + ".encoder");
  fill(model.decoder().parameters(), file, prefix + ".decoder");
  fill({&model.log_scale(), 1}, file, prefix + ".log_scale");
}

}  // namespace

VariationalCheckpoint::VariationalCheckpoint(std::filesystem::path path, const Dataset& auxiliary,
                                             const Dataset& validation, const VariationalTrainingOptions& options)
    : path_(std::move(path)), run_(digest_of(auxiliary, validation, options)) {}

Status VariationalCheckpoint::save(const VariationalFit& fit, const VariationalModel& current,
                                   std::array<Adam*, 3> optimisers) const {
  Safetensors file;
  file.metadata["run"] = run_;
  file.metadata["history"] = to_json(fit.history).dump();
  file.metadata["steps"] = std::to_string(optimisers.front()->state().steps);
  put(file, "current", current);
  put(file, "best", fit.model);
  for (std::size_t i = 0; i < optimisers.size(); ++i) {
    file.tensors[std::string("first_moment.") + kOptimiserNames[i]] = tensor_of(optimisers[i]->state().first_moment);
    file.tensors[std::string("second_moment.") + kOptimiserNames[i]] = tensor_of(optimisers[i]->state().second_moment);
  }
  return write_file_atomically(path_, write_safetensors(file));
}

Status VariationalCheckpoint::load(VariationalFit& fit, VariationalModel& current,
                                   std::array<Adam*, 3> optimisers) const {
  std::ifstream stream(path_, std::ios::binary);
  if (!stream) return {};
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const auto damaged = [&](const std::string& why) {
    return Error{ErrorCode::kCorruptFile, "checkpoint " + path_.string() + ": " + why};
  };
  const auto file = read_safetensors(std::as_bytes(std::span(text)));
  if (!file) return damaged(file.error().message);
  try {
    if (file->metadata.at("run") != run_)
      return damaged("belongs to a run with other data or options; remove it or name another file");
    get(*file, "current", current);
    get(*file, "best", fit.model);
    for (std::size_t i = 0; i < optimisers.size(); ++i) {
      const std::string name = kOptimiserNames[i];
      Adam::State state{std::stoull(file->metadata.at("steps")), file->tensors.at("first_moment." + name).values,
                        file->tensors.at("second_moment." + name).values};
      optimisers[i]->restore(std::move(state)).or_throw();
    }
    fit.history = history_from(nlohmann::json::parse(file->metadata.at("history")));
  } catch (const std::exception& problem) {
    return damaged(problem.what());
  }
  return {};
}

}  // namespace sotto
