// Hadamard response [ASZ19]: one symbol, whatever the number of categories, where subset selection lists many. At small
// ε nearly as good, at most a few times its variance. The categories are shared out to blocks of b symbols, b a power
// of two. Each has half of its block for its own, by a row of the Hadamard matrix other than the first, and its own
// symbols are e^ε times as likely as all others.
//
// Claim: exactly ε-LDP; a symbol has one of two probabilities, a factor e^ε apart. Proof: docs/proofs/categories.md.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

// The block size is the variance-optimal one.
Result<std::unique_ptr<Channel>> make_hadamard_response(std::int64_t categories, const Epsilon& epsilon);

// With the size given: any power of two from 2 on keeps the claim.
Result<std::unique_ptr<Channel>> make_hadamard_response(std::int64_t categories, std::int64_t block,
                                                        const Epsilon& epsilon);

// Precondition: categories ≥ 2.
std::int64_t optimal_hadamard_block(std::int64_t categories, const Epsilon& epsilon);

}  // namespace sotto
