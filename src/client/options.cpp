#include "sotto/client/options.h"

namespace sotto::client {
namespace {

// Null and empty texts are refused: a privacy parameter is what somebody wrote.
Result<Epsilon> parse_epsilon(const char* text) {
  if (text == nullptr) return refuse("epsilon: not given, and there is no default");
  return Epsilon::parse(text);
}

Result<Delta> parse_delta(const char* text) { return text == nullptr ? Delta::zero() : Delta::parse(text); }

}  // namespace

Result<ReleaseParameters> read_release_options(const sotto_release_options* given) {
  const auto options = read_structure(given, "release options");
  if (!options) return options.error();
  const auto epsilon = parse_epsilon(options->epsilon);
  if (!epsilon) return epsilon.error();
  const auto delta = parse_delta(options->delta);
  if (!delta) return delta.error();
  ReleaseParameters parameters{*epsilon, *delta, std::nullopt};
  if (options->lambda != nullptr) {
    const auto lambda = parse_lambda(options->lambda);
    if (!lambda) return lambda.error();
    parameters.lambda = *lambda;
  }
  if (options->joint_label != 0 && options->joint_label != 1) return refuse("joint_label: must be 0 or 1");
  if (options->reserved != 0) return refuse("reserved: must be 0");
  parameters.joint = options->joint_label == 1;
  return parameters;
}

Result<LedgerOptions> read_ledger_options(const sotto_ledger_options* given) {
  const auto options = read_structure(given, "ledger options");
  if (!options) return options.error();
  if (options->path == nullptr || *options->path == '\0') return refuse("path: not given");
  const auto epsilon = parse_epsilon(options->epsilon);
  if (!epsilon) return epsilon.error();
  const auto delta = parse_delta(options->delta);
  if (!delta) return delta.error();
  return LedgerOptions{options->path, *epsilon, *delta};
}

}  // namespace sotto::client
