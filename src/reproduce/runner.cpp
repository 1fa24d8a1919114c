#include "sotto/reproduce/runner.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "sotto/data/open_source.h"
#include "sotto/evaluate/accuracy.h"
#include "sotto/evaluate/ceilings.h"
#include "sotto/reproduce/cell.h"
#include "sotto/wire/atomic_file.h"
#include "sotto/wire/sha256.h"

namespace sotto {
namespace {

using Clock = std::chrono::steady_clock;

// Settings that came later are named only where they are used, so that cells keep their keys.
nlohmann::json to_json(const Settings& settings) {
  nlohmann::json json = {{"encoder", settings.encoder},
                         {"noise", settings.channel},
                         {"label", settings.label},
                         {"lambda", settings.lambda},
                         {"l1_radius", settings.l1_radius},
                         {"epsilon_pretrain", settings.epsilon_pretrain},
                         {"hidden", settings.hidden},
                         {"likelihood", settings.likelihood},
                         {"extra_reconstructions", settings.extra_reconstructions},
                         {"dimension", settings.dimension},
                         {"epochs", settings.epochs},
                         {"patience", settings.patience},
                         {"learn", settings.learner},
                         {"codebook", settings.codebook},
                         {"codes", settings.codes},
                         {"contrastive_epochs", settings.contrastive_epochs},
                         {"level", settings.level},
                         {"classifier_hidden", settings.classifier_hidden}};
  const Settings usual;
  if (settings.contrastive != usual.contrastive) json["contrastive"] = settings.contrastive;
  if (settings.clusters != usual.clusters) json["clusters"] = settings.clusters;
  if (settings.views != "digits") json["views"] = settings.views;  // all that there was
  if (settings.inference != usual.inference) json["inference"] = settings.inference;
  return json;
}

// To be raised with every change of the code that changes a learner's numbers: its cells are then computed anew.
int version_of(const std::string& learner) { return learner == "label-noise" ? 1 : 2; }

// Everything that bears on the number, and nothing else: names of series may change.
std::string key_of(const Experiment& experiment, const std::string& data, const Series& series, const Cell& cell,
                   std::uint64_t seed) {
  nlohmann::json key = {{"version", version_of(cell.settings.learner)},
                        {"data", data},
                        {"protocol", static_cast<int>(experiment.protocol)},
                        {"metric", name_of(experiment.metric)},
                        {"limits", {experiment.max_auxiliary, experiment.max_reports, experiment.max_tests}},
                        {"auxiliary_records", series.auxiliary_records},
                        {"all_records", series.all_records},
                        {"epsilon", epsilon_text(cell.epsilon)},
                        {"settings", to_json(cell.settings)},
                        {"seed", seed}};
  if (series.reports > 0) key["reports"] = series.reports;
  if (!series.relabel.empty()) key["relabel"] = series.relabel;
  const std::string text = key.dump();
  return to_hex(sha256(std::as_bytes(std::span(text)))).substr(0, 24);
}

struct StoredCell {
  double accuracy, seconds;
  std::string commit;
};

std::optional<StoredCell> read_cell(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto accuracy = json.find("accuracy"), seconds = json.find("seconds"), commit = json.find("commit");
  if (accuracy == json.end() || seconds == json.end() || commit == json.end() || !accuracy->is_number() ||
      !seconds->is_number() || !commit->is_string())
    return std::nullopt;
  return StoredCell{accuracy->get<double>(), seconds->get<double>(), commit->get<std::string>()};
}

Status write_cell(const std::filesystem::path& path, const CellOutcome& outcome, double seconds,
                  const std::string& commit) {
  const std::string text = nlohmann::json{
      {"accuracy", outcome.accuracy},
      {"seconds", seconds},
      {"commit", commit},
      {"diagnostics",
       outcome.diagnostics}}.dump();
  return write_file_atomically(path, std::as_bytes(std::span(text)));
}

std::string listed(const std::set<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", &utc);
  return text;
}

std::vector<Curve> ceilings_of(const Experiment& experiment) {
  if (experiment.metric != Metric::kPrivateAccuracy) return {};
  constexpr int kClasses = 10;
  const std::string metric(name_of(experiment.metric));
  Curve laplace{"Laplace on the L1 sphere (Eq. 13)", metric, {}}, any{"any ε-LDP channel", metric, {}};
  for (const Cell& cell : experiment.series.front().cells) {
    if (!cell.epsilon) continue;
    laplace.points.push_back({cell.epsilon, 100 * laplace_sphere_ceiling(kTestShare * *cell.epsilon, kClasses)});
    any.points.push_back({cell.epsilon, 100 * any_channel_ceiling(kTestShare * *cell.epsilon, kClasses)});
  }
  return {std::move(laplace), std::move(any)};
}

class Runner {
 public:
  Runner(const Experiment& experiment, const LabelledData& data, const RunOptions& options)
      : experiment_(experiment),
        data_digest_(to_hex(sha256(std::as_bytes(std::span(data.test.values))))),
        data_(data),
        options_(options),
        store_(options.work / "mechanisms", options.progress),
        cells_(options.work / "cells") {}

  Result<Results> run() {
    std::filesystem::create_directories(cells_);
    for (const Series& series : experiment_.series) total_ += series.cells.size() * experiment_.trials;
    // Trial by trial: an interrupted run has whole tables to show, of fewer trials.
    for (std::size_t trial = 0; trial < experiment_.trials; ++trial)
      for (const Series& series : experiment_.series)
        if (const Status status = run_series(series, options_.seed + trial); !status) return status.error();
    return gather();
  }

 private:
  Status run_series(const Series& series, std::uint64_t seed) {
    if (!series.relabel.empty() && series.relabel.size() != static_cast<std::size_t>(data_.classes))
      return Error{ErrorCode::kInvalidInput, "experiment: relabel: expected one label for each of the " +
                                                 std::to_string(data_.classes) + " classes, got " +
                                                 std::to_string(series.relabel.size())};
    std::optional<Parts> parts;  // shared out only when some cell is missing
    for (const Cell& cell : series.cells) {
      const auto path = cells_ / (key_of(experiment_, data_digest_, series, cell, seed) + ".json");
      if (!read_cell(path)) {
        if (!parts)
          parts = share_out(data_.train, data_.test, data_.classes, experiment_, series, kSplitSeed + 10 * seed);
        const auto start = Clock::now();
        const auto outcome = run_cell(experiment_, cell, *parts, data_.input, store_, seed);
        if (!outcome) return outcome.error();
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (const Status status = write_cell(path, *outcome, seconds, options_.commit); !status) return status;
      }
      announce(series, cell, seed, *read_cell(path));
    }
    return {};
  }

  void announce(const Series& series, const Cell& cell, std::uint64_t seed, const StoredCell& stored) {
    ++done_;
    char text[240];
    std::snprintf(text, sizeof(text), "[%zu/%zu] %s, %s, %s, epsilon %s, trial %llu: %.1f %% (%.0f s)", done_, total_,
                  series.mechanism.c_str(), series.channel.c_str(), series.learner.c_str(),
                  epsilon_text(cell.epsilon).c_str(), static_cast<unsigned long long>(seed - options_.seed + 1),
                  stored.accuracy, stored.seconds);
    options_.progress(text);
  }

  Result<Results> gather() const {
    Results results;
    results.name = experiment_.name;
    results.title = experiment_.title;
    results.command = options_.command;
    results.date = today();
    results.published = experiment_.published;
    results.ceilings = ceilings_of(experiment_);
    results.notes = experiment_.notes;
    const std::uint64_t last = options_.seed + experiment_.trials - 1;
    results.notes.push_back("Seeds of the trials: " + std::to_string(options_.seed) +
                            (experiment_.trials > 1 ? " to " + std::to_string(last) : "") + ".");
    std::set<std::string> all_commits;
    for (const Series& series : experiment_.series)
      for (const Cell& cell : series.cells) {
        ResultRow row{series.mechanism,
                      series.channel,
                      series.learner,
                      cell.epsilon,
                      std::string(name_of(experiment_.metric)),
                      0,
                      0,
                      0,
                      {}};
        std::set<std::string> commits;  // cells kept from earlier runs have theirs
        for (std::size_t trial = 0; trial < experiment_.trials; ++trial) {
          const auto stored =
              read_cell(cells_ / (key_of(experiment_, data_digest_, series, cell, options_.seed + trial) + ".json"));
          if (!stored) return Error{ErrorCode::kIo, "a finished cell has disappeared from " + cells_.string()};
          row.values.push_back(stored->accuracy);
          results.seconds += stored->seconds;
          commits.insert(stored->commit);
        }
        const auto summary = summarize_trials(row.values);
        if (!summary) return summary.error();
        row.mean = summary->mean;
        row.sd = summary->sd;
        row.trials = static_cast<int>(summary->trials);
        row.commit = listed(commits);
        all_commits.insert(commits.begin(), commits.end());
        results.rows.push_back(std::move(row));
      }
    results.commit = listed(all_commits);
    return results;
  }

  static constexpr std::uint64_t kSplitSeed = 7'000'000;

  const Experiment& experiment_;
  std::string data_digest_;  // of the smaller part, which is enough to tell data sets apart
  const LabelledData& data_;
  const RunOptions& options_;
  MechanismStore store_;
  std::filesystem::path cells_;
  std::size_t done_ = 0, total_ = 0;
};

}  // namespace

Result<LabelledData> load_mnist(const std::filesystem::path& directory) {
  LabelledData data;
  data.input.image = ImageShape{1, 28, 28};
  data.classes = 10;
  LabelSchema label{"digit", {}};
  for (std::int32_t i = 0; i < data.classes; ++i) label.classes.push_back(std::to_string(i));
  const auto read = [&](const char* images, const char* labels) -> Result<Dataset> {
    const auto source =
        open_source({(directory / images).string(), (directory / labels).string(), {}}, data.input, label);
    if (!source) return source.error();
    return load(**source);
  };
  auto train = read("train-images-idx3-ubyte", "train-labels-idx1-ubyte");
  if (!train) return train.error();
  auto test = read("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
  if (!test) return test.error();
  data.train = std::move(*train);
  data.test = std::move(*test);
  return data;
}

void keep_earlier_rows(const Experiment& experiment, const Results& earlier, Results& results) {
  const auto find = [&](const Results& among, const Series& series, const Cell& cell) -> const ResultRow* {
    for (const ResultRow& row : among.rows)
      if (row.mechanism == series.mechanism && row.channel == series.channel && row.learner == series.learner &&
          epsilon_text(row.epsilon) == epsilon_text(cell.epsilon) && row.metric == name_of(experiment.metric))
        return &row;
    return nullptr;
  };
  std::vector<ResultRow> rows;
  std::set<std::string> commits;
  for (const Series& series : experiment.series)
    for (const Cell& cell : series.cells) {
      const ResultRow* own = find(results, series, cell);
      const ResultRow* kept = own != nullptr ? own : find(earlier, series, cell);
      if (kept == nullptr) continue;
      rows.push_back(*kept);
      if (rows.back().commit.empty()) rows.back().commit = earlier.commit;  // files of old name none for each row
      commits.insert(rows.back().commit);
    }
  if (rows.size() > results.rows.size()) results.seconds += earlier.seconds;
  results.rows = std::move(rows);
  results.commit = listed(commits);
}

Result<Results> run_experiment(const Experiment& experiment, const LabelledData& data, const RunOptions& options) {
  return Runner(experiment, data, options).run();
}

}  // namespace sotto
