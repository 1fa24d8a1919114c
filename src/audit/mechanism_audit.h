// The whole audit of a mechanism as it would be released: its channels enumerated exactly at small size, its constraint
// fed with what no encoder should return, and the shipped privatize path attacked with two far-apart records.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sotto/audit/constraint_audit.h"
#include "sotto/audit/empirical_audit.h"
#include "sotto/audit/exact_audit.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto {

struct MechanismAuditOptions {
  std::uint64_t reports = 10'000'000;
  double alpha = 1e-3;
  std::uint64_t hostile_inputs = 100'000;
  std::function<std::unique_ptr<Entropy>(std::size_t stream)> entropy;  // empty: the operating system's
};

struct NamedExactAudit {
  std::string channel;  // "lattice_laplace, 2 coordinates, resolution 3"
  ExactAudit audit;
};

// How the channel of the features fared in the exact part.
enum class ExactPart {
  kEnumerated,
  kTooLarge,  // at this ε every small domain still has too many reports to enumerate: nothing was proved
  kInexact,   // the channel samples in floating point: there is nothing exact to prove
};

enum class Verdict { kStands, kBroken, kInconclusive };

struct MechanismAudit {
  ExactPart exact_part;
  std::vector<NamedExactAudit> exact;  // of the features' channel, and of the label's if there is one
  std::vector<std::string> skipped;    // small channels that were too large, named as those in `exact`
  ConstraintAudit constraint;
  EmpiricalAudit empirical;
  bool knew_the_law;  // false when the likelihood is too costly to score every report with

  // Inconclusive: nothing speaks against the claim, but the part that could have proved it was skipped for its size.
  Verdict verdict() const;
  bool passed() const { return verdict() == Verdict::kStands; }
};

Result<MechanismAudit> audit_mechanism(const Mechanism& mechanism, const ReleaseParameters& parameters,
                                       InexactChannels inexact, const MechanismAuditOptions& options);

}  // namespace sotto
