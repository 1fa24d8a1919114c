// `sotto audit`: attack a mechanism. Exits with 3 when its claim does not hold, with 1 when that cannot be said.
#include <cstdio>
#include <iostream>
#include <memory>

#include "command.h"
#include "sotto/audit/mechanism_audit.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto::cli {
namespace {

struct AuditOptions {
  std::string mechanism;
  ReleaseOptions release;
  double reports = 1e7;
  double alpha = 1e-3;
  std::optional<std::uint64_t> seed;
  bool json = false;
};

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kStands:
      return "stands";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kInconclusive:
      break;
  }
  return "inconclusive";
}

const char* name(ExactPart part) {
  switch (part) {
    case ExactPart::kEnumerated:
      return "enumerated";
    case ExactPart::kTooLarge:
      return "too large";
    case ExactPart::kInexact:
      break;
  }
  return "inexact";
}

nlohmann::json audit_json(const MechanismAudit& audit) {
  nlohmann::json exact = nlohmann::json::array();
  for (const auto& [channel, result] : audit.exact)
    exact.push_back({{"channel", channel},
                     {"epsilon", result.epsilon.to_double()},
                     {"worst_low", result.worst_low},
                     {"worst_high", result.worst_high},
                     {"points", result.points},
                     {"reports", result.reports},
                     {"tight", result.tight},
                     {"proved", result.proved},
                     {"passed", result.passed()}});
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& finding : audit.empirical.findings)
    findings.push_back({{"distinguisher", name(finding.distinguisher)},
                        {"event", finding.event},
                        {"hits", finding.hits},
                        {"trials", finding.trials},
                        {"epsilon_low", finding.epsilon_low}});
  return {{"passed", audit.passed()},
          {"verdict", name(audit.verdict())},
          {"exact_part", name(audit.exact_part)},
          {"exact", exact},
          {"skipped", audit.skipped},
          {"constraint", {{"inputs", audit.constraint.inputs}, {"escapes", audit.constraint.escapes}}},
          {"empirical",
           {{"epsilon", audit.empirical.epsilon.to_double()},
            {"delta", audit.empirical.delta.to_double()},
            {"epsilon_low", audit.empirical.epsilon_low},
            {"broken", audit.empirical.broken},
            {"reports", audit.empirical.reports},
            {"seconds", audit.empirical.seconds},
            {"knew_the_law", audit.knew_the_law},
            {"findings", findings}}}};
}

void print_exact(const MechanismAudit& audit) {
  if (audit.exact_part == ExactPart::kInexact)
    std::cout << "exact: nothing to prove of the features, their channel samples in floating point\n";
  if (audit.exact_part == ExactPart::kTooLarge)
    std::cout << "exact: SKIPPED for the features, at their share of epsilon even the smallest channel has too many "
                 "reports\n";
  if (!audit.exact.empty()) std::cout << "exact: every point and report of small channels, with directed rounding\n";
  for (const auto& [channel, result] : audit.exact)
    std::printf("  %-52s %s %.9f of %s%s  %s\n", channel.c_str(), result.delta.is_zero() ? "worst log-ratio" : "delta",
                result.worst_high,
                (result.delta.is_zero() ? result.epsilon.to_string() : result.delta.to_string()).c_str(),
                result.tight ? " (tight)" : "", result.passed() ? "ok" : "FAILED");
  if (audit.exact_part == ExactPart::kEnumerated && !audit.skipped.empty())
    std::printf("  %zu larger ones skipped: too many reports at this epsilon\n", audit.skipped.size());
  std::fflush(stdout);
}

void print_audit_text(const MechanismAudit& audit, double alpha) {
  print_exact(audit);
  std::cout << "constraint: " << audit.constraint.inputs << " hostile encodings, " << audit.constraint.escapes
            << " left the domain\n";
  const EmpiricalAudit& attack = audit.empirical;
  std::printf("attack: %llu reports about two far-apart records in %.1f s%s\n",
              static_cast<unsigned long long>(attack.reports), attack.seconds,
              audit.knew_the_law ? "" : " (without the likelihood ratio: too costly at this dimension)");
  for (const Finding& finding : attack.findings)
    std::printf("  %-17s epsilon >= %.4f   by \"%s\": %llu against %llu of %llu\n", name(finding.distinguisher),
                finding.epsilon_low, finding.event.c_str(), static_cast<unsigned long long>(finding.hits[0]),
                static_cast<unsigned long long>(finding.hits[1]), static_cast<unsigned long long>(finding.trials));
  std::printf("claim: epsilon = %s; the attack shows at least %.4f at confidence %g\n",
              attack.epsilon.to_string().c_str(), attack.epsilon_low, 1 - alpha);
  switch (audit.verdict()) {
    case Verdict::kStands:
      std::printf("the claim stands\n");
      break;
    case Verdict::kBroken:
      std::printf("THE CLAIM IS BROKEN\n");
      break;
    case Verdict::kInconclusive:
      std::printf("INCONCLUSIVE: nothing speaks against the claim, but its exact part was skipped for its size\n");
      break;
  }
}

int exit_code_of(Verdict verdict) {
  if (verdict == Verdict::kStands) return 0;
  return verdict == Verdict::kBroken ? kClaimBroken : kFailed;
}

int run_audit(const AuditOptions& options) {
  if (!(options.reports >= 1000 && options.reports <= 1e12))
    throw Failure({ErrorCode::kInvalidArgument, "reports: must lie between 1000 and 1e12"});
  const Mechanism mechanism = Mechanism::load(options.mechanism).value_or_throw();
  MechanismAuditOptions audit_options;
  audit_options.reports = static_cast<std::uint64_t>(options.reports);
  audit_options.alpha = options.alpha;
  if (options.seed)
    audit_options.entropy = [seed = *options.seed](std::size_t stream) {
      return std::make_unique<SeededEntropy>(seed + stream);
    };
  const MechanismAudit audit =
      audit_mechanism(mechanism, options.release.parse(), options.release.inexact(), audit_options).value_or_throw();
  if (options.json)
    std::cout << audit_json(audit).dump() << '\n';
  else
    print_audit_text(audit, options.alpha);
  return exit_code_of(audit.verdict());
}

}  // namespace

void add_audit(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App& command = *app.add_subcommand(
      "audit", "Attack a mechanism; exit with 3 if its claim breaks, with 1 if the audit is inconclusive");
  command.add_option("mechanism", options->mechanism, "The .sotto file")->required();
  options->release.add_to(command, true);
  command.add_option("--reports", options->reports, "Reports to draw in the attack")->capture_default_str();
  command.add_option("--alpha", options->alpha, "Probability of accusing an honest mechanism")->capture_default_str();
  command.add_option("--seed", options->seed, "Predictable noise, to repeat an attack");
  add_json_flag(command, options->json);
  command.footer("Example: sotto audit mnist.sotto --epsilon 4 --lambda 0.7 --reports 1e7");
  command.callback([options, &exit_code] { exit_code = run_audit(*options); });
}

}  // namespace sotto::cli
