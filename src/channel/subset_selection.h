// Subset selection [YB18]: reports ω of the k categories; a set with the true one is e^ε times as likely as one
// without. Better than randomised response when k ≫ e^ε.
//
// Claim: exactly ε-LDP; a report has one of two probabilities, a factor e^ε apart. Proof: docs/proofs/categories.md.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

// ω is the variance-optimal size. The report lists the chosen categories in increasing order.
Result<std::unique_ptr<Channel>> make_subset_selection(std::int64_t categories, const Epsilon& epsilon);

// With the size given: any 1 ≤ subset_size < categories keeps the claim.
Result<std::unique_ptr<Channel>> make_subset_selection(std::int64_t categories, std::int64_t subset_size,
                                                       const Epsilon& epsilon);

// Precondition: categories ≥ 2.
std::int64_t optimal_subset_size(std::int64_t categories, const Epsilon& epsilon);

}  // namespace sotto
