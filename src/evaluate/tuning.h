// Chooses among candidates by what a validation panel reports about each (ldp_validation.h), and by nothing else: one
// query a candidate, charged to the panel, until the candidates are through or its budget is spent.
//
// The value of the best is that of a maximum over noisy estimates, so it flatters: its interval covers the accuracy of
// a candidate named beforehand. Measure the winner again on a fresh panel to know how good it is.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sotto/evaluate/ldp_validation.h"

namespace sotto {

struct TunedCandidate {
  std::size_t candidate;  // its number, from 0
  Proportion accuracy;    // as the panel tells it
};

struct Tuning {
  std::vector<TunedCandidate> ranked;  // best first; of equals the one that came first
  std::optional<Error> stopped;        // the panel's refusal, when it ended the search
};

// Whether a candidate is right about each member. Called once a candidate, in order, and only when the panel's budget
// allows the query that follows: nothing is trained, or released, in vain.
using CandidateTrial = std::function<Result<std::vector<bool>>(std::size_t candidate)>;
using TuningProgress = std::function<void(const TunedCandidate&)>;

// Ends with the error of a trial, or of a query other than for want of budget. What was spent is the panel's to say.
Result<Tuning> tune(std::size_t candidates, const CandidateTrial& trial, ValidationPanel& panel, double confidence,
                    Entropy& entropy, const TuningProgress& progress);

}  // namespace sotto
