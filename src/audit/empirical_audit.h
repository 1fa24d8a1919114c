// The empirical audit: draws reports about two records from the very code that ships, looks for an event that tells
// them apart, and turns its frequencies into a lower bound on ε.
//
// Guarantee: for an (ε, δ)-LDP sampler the bound exceeds ε with probability at most alpha. Events are chosen on the
// first half of the reports and counted on the second, so the choice costs nothing but the Bonferroni factor; the
// bounds on both frequencies are Clopper–Pearson's [CP34], exact at any count. What it does not show: that no better
// attack exists. Low bounds are no proof of privacy; exact_audit.h is.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sotto/audit/distinguishers.h"
#include "sotto/channel/channel.h"
#include "sotto/kernel/entropy.h"
#include "sotto/privacy/epsilon.h"

namespace sotto {

// Writes a report about one of two records, which the attacker chose. Called from two threads at once.
using Victim = std::function<void(std::size_t which, Entropy& entropy, std::span<std::int64_t> report)>;

struct Attack {
  Victim victim;
  std::size_t report_length = 0;
  Scorer score;                        // may be empty: the attacker does not know the law
  std::uint64_t reports = 10'000'000;  // to draw in all, half of them about each record
  double alpha = 1e-3;                 // the probability of accusing an honest sampler
  // One source for each stream (thread). Results are reproducible if these are.
  std::function<std::unique_ptr<Entropy>(std::size_t stream)> entropy = [](std::size_t) {
    return std::make_unique<Entropy>();
  };
};

// The attack on a channel, about two of its points, by someone who knows its law. The channel must outlive it.
Attack attack_on(const Channel& channel, Point first, Point second);

// The best event of one kind.
struct Finding {
  Distinguisher distinguisher;
  std::string event;
  std::size_t likelier;               // the record under which it happens more often
  std::array<std::uint64_t, 2> hits;  // under record 0 and record 1
  std::uint64_t trials;               // with each record
  double epsilon_low;                 // ε is at least this, for all findings together at confidence 1 − alpha
};

struct EmpiricalAudit {
  Epsilon epsilon;  // the claim
  Delta delta;
  std::vector<Finding> findings;  // best first
  double epsilon_low;             // of the best
  bool broken;                    // epsilon_low > epsilon
  std::uint64_t reports;
  double seconds;
};

// Error if an option is out of range, or the victim throws a Failure.
Result<EmpiricalAudit> audit_empirically(const Attack& attack, const Epsilon& epsilon, const Delta& delta);

// One-sided Clopper–Pearson bounds on a probability after `hits` in `trials`, each wrong with probability at most
// alpha.
double clopper_pearson_lower(std::uint64_t hits, std::uint64_t trials, double alpha);
double clopper_pearson_upper(std::uint64_t hits, std::uint64_t trials, double alpha);

}  // namespace sotto
