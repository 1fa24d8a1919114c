#include "command.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

#include "sotto/kernel/seeded_entropy.h"

namespace sotto::cli {

void misuse(const std::string& what) { throw Failure({ErrorCode::kInvalidArgument, what}); }

void add_json_flag(CLI::App& command, bool& json) { command.add_flag("--json", json, "Speak JSON, for machines"); }

Epsilon parse_epsilon(const std::string& name, const std::string& text) {
  const auto epsilon = Epsilon::parse(text);
  if (epsilon) return *epsilon;
  constexpr std::string_view kOwnName = "epsilon";
  std::string message = epsilon.error().message;
  if (message.starts_with(kOwnName)) message.replace(0, kOwnName.size(), name);
  throw Failure({epsilon.error().code, message});
}

std::unique_ptr<Entropy> make_entropy(const std::optional<std::uint64_t>& seed) {
  if (!seed) return std::make_unique<Entropy>();
  std::cerr << "warning: --seed makes the noise predictable; these reports protect nobody\n";
  return std::make_unique<SeededEntropy>(*seed);
}

void ReleaseOptions::add_to(CLI::App& command, bool epsilon_required) {
  command
      .add_option("--epsilon", epsilon, "Privacy budget of one report, features and label together, e.g. 1.4 or 7/5")
      ->required(epsilon_required);
  command.add_option("--delta", delta, "For Gaussian channels, which need one, e.g. 1e-5");
  auto* share =
      command.add_option("--lambda", lambda, "Share of epsilon for the features, e.g. 0.7; the label gets the rest");
  command
      .add_flag("--joint", joint,
                "Release record and label as one point that gets all of epsilon. With neither --lambda nor --joint no "
                "label is released")
      ->excludes(share);
  command.add_flag("--allow-inexact", allow_inexact,
                   "Run floating-point channels, for experiments: their claim is not proven");
}

ReleaseParameters ReleaseOptions::parse() const {
  ReleaseParameters parameters{Epsilon::parse(epsilon).value_or_throw(), Delta::zero(), std::nullopt};
  if (!delta.empty()) parameters.delta = Delta::parse(delta).value_or_throw();
  if (!lambda.empty()) parameters.lambda = parse_lambda(lambda).value_or_throw();
  parameters.joint = joint;
  return parameters;
}

nlohmann::json to_json(const Description& description) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : description) object[key] = value;
  return object;
}

void print(const Description& description, bool json) {
  if (json) {
    std::cout << to_json(description).dump() << '\n';
    return;
  }
  std::size_t width = 0;
  for (const auto& line : description) width = std::max(width, line.first.size());
  for (const auto& [key, value] : description)
    std::cout << "  " << std::left << std::setw(static_cast<int>(width + 2)) << key << value << '\n';
}

}  // namespace sotto::cli
