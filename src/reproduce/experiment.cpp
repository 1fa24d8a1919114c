#include "sotto/reproduce/experiment.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sotto/reproduce/shipped_experiments.h"
#include "sotto/train/augmentation.h"

namespace sotto {
namespace {

[[noreturn]] void reject(const std::string& what) { throw Failure({ErrorCode::kInvalidInput, "experiment: " + what}); }

void expect_keys(const toml::table& table, const std::string& where, const std::set<std::string_view>& known) {
  for (const auto& [key, value] : table)
    if (!known.contains(key.str())) reject(where + ": unknown key '" + std::string(key.str()) + "'");
}

template <class Value>
Value value_of(const toml::node& node, const std::string& name) {
  const auto value = node.value<Value>();
  if (!value) reject(name + ": has the wrong type");
  return *value;
}

template <class Value>
void read(const toml::table& table, std::string_view key, Value& place) {
  if (const toml::node* node = table.get(key)) place = value_of<Value>(*node, std::string(key));
}

template <class Value>
std::vector<Value> list_of(const toml::node& node, const std::string& name) {
  const toml::array* array = node.as_array();
  if (array == nullptr) reject(name + ": must be a list");
  std::vector<Value> values;
  for (const toml::node& entry : *array) values.push_back(value_of<Value>(entry, name));
  return values;
}

template <class Names>
[[noreturn]] void refuse_word(std::string_view key, const std::string& word, const Names& allowed) {
  std::string list;
  for (const auto& name : allowed) list += (list.empty() ? "" : ", ") + std::string(name);
  reject(std::string(key) + ": must be one of " + list + ", got '" + word + "'");
}

template <class Choice>
Choice choice_of(const toml::table& table, std::string_view key, const std::map<std::string, Choice>& choices) {
  std::string name = choices.begin()->first;
  read(table, key, name);
  const auto found = choices.find(name);
  if (found != choices.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [choice, unused] : choices) names.push_back(choice);
  refuse_word(key, name, names);
}

const std::set<std::string_view> kSettingKeys{"encoder",
                                              "noise",
                                              "lambda",
                                              "l1_radius",
                                              "epsilon_pretrain",
                                              "hidden",
                                              "label",
                                              "codebook",
                                              "codes",
                                              "clusters",
                                              "contrastive",
                                              "contrastive_epochs",
                                              "inference",
                                              "likelihood",
                                              "extra_reconstructions",
                                              "dimension",
                                              "epochs",
                                              "patience",
                                              "learn",
                                              "level",
                                              "classifier_hidden"};

// A setting is one value for all epsilons, or a list with one value for each.
class SettingsReader {
 public:
  SettingsReader(const toml::table& table, std::size_t cell, std::size_t cells)
      : table_(table), cell_(cell), cells_(cells) {}

  template <class Value>
  void read(std::string_view key, Value& place) const {
    if (const toml::node* node = find(key)) place = value_of<Value>(*node, std::string(key));
  }

  void read_word(std::string_view key, std::string& place, std::initializer_list<std::string_view> allowed) const {
    read(key, place);
    if (std::find(allowed.begin(), allowed.end(), place) == allowed.end()) refuse_word(key, place, allowed);
  }

  void read_widths(std::string_view key, std::vector<std::size_t>& place) const {
    if (const toml::node* node = table_.get(key)) place = list_of<std::size_t>(*node, std::string(key));
  }

  void read_count_or_plan(std::string_view key, std::size_t& place) const {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    if (!node->is_string())
      place = value_of<std::size_t>(*node, std::string(key));
    else if (node->value<std::string>() == "plan")
      place = 0;
    else
      reject(std::string(key) + ": must be a number or 'plan'");
  }

  void read_number_or_word(std::string_view key, std::string& place) const {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    if (const auto number = node->value<double>())
      place = epsilon_text(*number);
    else
      place = value_of<std::string>(*node, std::string(key));
  }

 private:
  const toml::node* find(std::string_view key) const {
    const toml::node* node = table_.get(key);
    const toml::array* list = node == nullptr ? nullptr : node->as_array();
    if (list == nullptr) return node;
    if (list->size() != cells_)
      reject(std::string(key) + ": expected one value or " + std::to_string(cells_) + ", got " +
             std::to_string(list->size()));
    return list->get(cell_);
  }

  const toml::table& table_;
  std::size_t cell_, cells_;
};

void apply(const SettingsReader& reader, Settings& settings) {
  reader.read_word("encoder", settings.encoder, {"vrlm", "crlm", "pca", "aligned", "identity", "codes", "directions"});
  reader.read_word("noise", settings.channel,
                   {"laplace", "feature-laplace", "duchi", "privunit", "plan", "subset_selection",
                    "randomized_response", "hadamard_response"});
  reader.read_word("label", settings.label, {"split", "joint"});
  reader.read("lambda", settings.lambda);
  reader.read("l1_radius", settings.l1_radius);
  reader.read_number_or_word("epsilon_pretrain", settings.epsilon_pretrain);
  reader.read_widths("hidden", settings.hidden);
  reader.read_word("likelihood", settings.likelihood, {"bernoulli", "gaussian", "logit-gaussian"});
  reader.read("extra_reconstructions", settings.extra_reconstructions);
  reader.read("dimension", settings.dimension);
  reader.read("epochs", settings.epochs);
  reader.read("patience", settings.patience);
  reader.read_word("learn", settings.learner, {"denoising", "student", "codes", "discriminant", "label-noise"});
  reader.read_word("codebook", settings.codebook, {"contrastive", "representation"});
  reader.read_count_or_plan("codes", settings.codes);
  reader.read_word("contrastive", settings.contrastive, {"dense", "convolutional", "wide"});
  reader.read_word("clusters", settings.clusters, {"spherical", "balanced", "mixture", "head"});
  reader.read_word("inference", settings.inference, {"mechanism", "published"});
  reader.read("contrastive_epochs", settings.contrastive_epochs);
  reader.read_word("level", settings.level, {"representation", "feature"});
  reader.read_widths("classifier_hidden", settings.classifier_hidden);
}

struct Quick {
  std::set<double> epsilons;  // empty: all
  bool no_privacy = true;
  std::size_t epochs = 0;  // 0: as the series say
};

Series read_series(const toml::table& table, const std::vector<double>& epsilons, const Quick& quick) {
  std::set<std::string_view> keys = kSettingKeys;
  keys.insert(
      {"mechanism", "channel", "learner", "auxiliary_records", "all_records", "reports", "relabel", "no_privacy"});
  expect_keys(table, "series", keys);
  Series series;
  read(table, "mechanism", series.mechanism);
  read(table, "channel", series.channel);
  read(table, "learner", series.learner);
  read(table, "auxiliary_records", series.auxiliary_records);
  read(table, "all_records", series.all_records);
  read(table, "reports", series.reports);
  if (const toml::node* node = table.get("relabel")) series.relabel = list_of<std::int32_t>(*node, "relabel");
  for (const std::int32_t label : series.relabel)
    if (label < 0) reject("relabel: labels count from 0");
  if (series.mechanism.empty()) reject("series: has no mechanism");
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    Cell cell{epsilons[i], {}};
    apply(SettingsReader(table, i, epsilons.size()), cell.settings);
    if (quick.epsilons.empty() || quick.epsilons.contains(epsilons[i])) series.cells.push_back(std::move(cell));
  }
  if (const toml::node* node = table.get("no_privacy"); node != nullptr && quick.no_privacy) {
    if (node->as_table() == nullptr) reject("no_privacy: must be a table of settings");
    expect_keys(*node->as_table(), "no_privacy", kSettingKeys);
    Cell cell{std::nullopt, {}};
    // What the series says once holds here too; lists, one value for each epsilon, do not.
    toml::table merged;
    for (const auto& [key, value] : table)
      if (kSettingKeys.contains(key.str()) && (!value.is_array() || key == "hidden" || key == "classifier_hidden"))
        merged.insert_or_assign(key, value);
    for (const auto& [key, value] : *node->as_table()) merged.insert_or_assign(key, value);
    apply(SettingsReader(merged, 0, 1), cell.settings);
    series.cells.push_back(std::move(cell));
  }
  if (quick.epochs > 0)
    for (Cell& cell : series.cells) {
      cell.settings.epochs = std::min(cell.settings.epochs, quick.epochs);
      cell.settings.contrastive_epochs = std::min(cell.settings.contrastive_epochs, quick.epochs);
    }
  return series;
}

void read_published(const toml::table& table, const std::vector<double>& epsilons, const std::string& source,
                    const std::string& metric, std::vector<PublishedRow>& rows) {
  expect_keys(table, "published", {"mechanism", "values", "none"});
  std::string mechanism;
  read(table, "mechanism", mechanism);
  const toml::node* node = table.get("values");
  if (node == nullptr) reject("published: has no values");
  const auto values = list_of<double>(*node, "values");
  if (values.size() != epsilons.size()) reject("published: needs one value for each epsilon");
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i])) rows.push_back({mechanism, source, epsilons[i], metric, values[i]});
  if (const toml::node* none = table.get("none"))
    rows.push_back({mechanism, source, std::nullopt, metric, value_of<double>(*none, "none")});
}

Quick read_quick(const toml::table& table, Experiment& experiment) {
  expect_keys(table, "quick",
              {"trials", "epsilons", "no_privacy", "epochs", "auxiliary_records", "reports", "test_records"});
  Quick quick;
  if (const toml::node* node = table.get("epsilons"))
    for (const double epsilon : list_of<double>(*node, "epsilons")) quick.epsilons.insert(epsilon);
  read(table, "no_privacy", quick.no_privacy);
  read(table, "epochs", quick.epochs);
  read(table, "trials", experiment.trials);
  read(table, "auxiliary_records", experiment.max_auxiliary);
  read(table, "reports", experiment.max_reports);
  read(table, "test_records", experiment.max_tests);
  return quick;
}

Experiment read_experiment(const toml::table& table, bool quick_wanted) {
  expect_keys(table, "document",
              {"name", "title", "source", "protocol", "metric", "trials", "epsilons", "series", "published", "notes",
               "quick", "views"});
  Experiment experiment;
  read(table, "name", experiment.name);
  read(table, "title", experiment.title);
  read(table, "source", experiment.source);
  read(table, "trials", experiment.trials);
  experiment.protocol = choice_of<Protocol>(
      table, "protocol", {{"collection", Protocol::kCollection}, {"novel-class", Protocol::kNovelClass}});
  experiment.metric = choice_of<Metric>(
      table, "metric", {{"clean accuracy", Metric::kCleanAccuracy}, {"private accuracy", Metric::kPrivateAccuracy}});
  const toml::node* epsilons_node = table.get("epsilons");
  if (epsilons_node == nullptr) reject("has no epsilons");
  const auto epsilons = list_of<double>(*epsilons_node, "epsilons");
  if (const toml::node* notes = table.get("notes")) experiment.notes = list_of<std::string>(*notes, "notes");

  Quick quick;
  const toml::table* quick_table = table["quick"].as_table();
  if (quick_wanted && quick_table != nullptr) quick = read_quick(*quick_table, experiment);
  const auto each = [&](std::string_view key, const auto& take) {
    const toml::array* tables = table[key].as_array();
    if (tables == nullptr) return;
    for (const toml::node& node : *tables) {
      if (node.as_table() == nullptr) reject(std::string(key) + ": must be tables");
      take(*node.as_table());
    }
  };
  each("series", [&](const toml::table& entry) { experiment.series.push_back(read_series(entry, epsilons, quick)); });
  each("published", [&](const toml::table& entry) {
    read_published(entry, epsilons, experiment.source, std::string(name_of(experiment.metric)), experiment.published);
  });
  std::string views = Settings().views;
  read(table, "views", views);
  augmentation_named(views).value_or_throw();
  for (Series& series : experiment.series)
    for (Cell& cell : series.cells) cell.settings.views = views;
  if (experiment.name.empty() || experiment.trials == 0) reject("needs a name and at least one trial");
  if (experiment.series.empty()) reject("has no series");
  return experiment;
}

}  // namespace

std::string_view name_of(Metric metric) {
  return metric == Metric::kCleanAccuracy ? "clean accuracy" : "private accuracy";
}

Result<Experiment> parse_experiment(std::string_view text, bool quick) {
  try {
    return read_experiment(toml::parse(text), quick);
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::kInvalidInput, "experiment: line " + std::to_string(error.source().begin.line) + ": " +
                                               std::string(error.description())};
  } catch (const Failure& failure) {
    return failure.error();
  }
}

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const ShippedExperiment& experiment : shipped_experiments()) names.emplace_back(experiment.name);
  return names;
}

Result<std::string> experiment_named(std::string_view name) {
  std::string known;
  for (const ShippedExperiment& experiment : shipped_experiments()) {
    if (experiment.name == name) return std::string(experiment.toml);
    known += (known.empty() ? "" : ", ") + std::string(experiment.name);
  }
  return refuse("experiment: '" + std::string(name) + "' is not one of " + known + ", nor a file");
}

}  // namespace sotto
