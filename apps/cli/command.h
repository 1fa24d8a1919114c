// What the commands share: how they are added, how they fail, how they speak.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sotto/mechanism/describe.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto::cli {

// Exit codes: 0 done, 1 failed, 2 misused, 3 an audit found the claim broken.
inline constexpr int kFailed = 1;
inline constexpr int kMisused = 2;
inline constexpr int kClaimBroken = 3;

// Of every interval that a command prints.
inline constexpr double kConfidence = 0.95;

// Each adds one subcommand, whose callback does the work and throws Failure when it cannot. `exit_code` may be set.
void add_train(CLI::App& app);
void add_inspect(CLI::App& app);
void add_plan(CLI::App& app);
void add_privatize(CLI::App& app);
void add_reports(CLI::App& app);
void add_learn(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_tune(CLI::App& app);
void add_audit(CLI::App& app, int& exit_code);
void add_data(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_demo(CLI::App& app);
void add_version(CLI::App& app);
void add_completion(CLI::App& app);
void add_man(CLI::App& app);

// Throws what ends the program as misused.
[[noreturn]] void misuse(const std::string& what);

void add_json_flag(CLI::App& command, bool& json);

// An epsilon that goes by another name than --epsilon; errors call it by that name.
Epsilon parse_epsilon(const std::string& name, const std::string& text);

// The operating system's, or, with a warning on standard error, predictable.
std::unique_ptr<Entropy> make_entropy(const std::optional<std::uint64_t>& seed);

// --epsilon, --delta, --lambda as people write them. Privacy parameters have no defaults.
struct ReleaseOptions {
  std::string epsilon, delta, lambda;
  bool joint = false;
  bool allow_inexact = false;

  void add_to(CLI::App& command, bool epsilon_required);
  ReleaseParameters parse() const;
  InexactChannels inexact() const {
    return allow_inexact ? InexactChannels::kAllowForExperiments : InexactChannels::kRefuse;
  }
};

// Aligned lines for people, an object for machines.
void print(const Description& description, bool json);
nlohmann::json to_json(const Description& description);

}  // namespace sotto::cli
