// The exponential mechanism [MT07] on categories with distances: near misses are likelier than far ones. Reports r with
// probability w^d(c,r) / Z_c, where Z_c = Σ_r w^d(c,r). Tells less about the category than subset selection does, and
// more about what near ones have in common.
//
// Claim: ε-LDP; w is a fraction, and for it every ratio of the law has been compared with e^ε, in integers of any size.
// Proof: docs/proofs/categories.md. Not guaranteed: that ε is reached (it nearly is: w is a multiple of 2^−24), nor
// that there is an unbiased estimate. Where the law cannot be inverted, as for an ε so small that only w = 1 keeps it,
// `estimate` throws Failure (kUnsupported). The first call inverts the law: seconds for 1,000 categories.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

// `codes` must have distances, and ε be at most 1024.
Result<std::unique_ptr<Channel>> make_exponential(const Product& codes, const Epsilon& epsilon);

inline constexpr unsigned kExponentialWeightBits = 24;

// The weight of that channel, w·2^24: the smallest that bisection finds to keep ε, hence the most faithful. 2^24 makes
// all reports alike.
Result<std::uint64_t> exponential_weight(const Product& codes, const Epsilon& epsilon);

}  // namespace sotto
