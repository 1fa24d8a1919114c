// On which side of a random hyperplane? A report is the number of a hyperplane through the origin, drawn uniformly and
// without a look at the record, and one bit of randomised response [War65] about the record's side of it. Good for
// means of many dimensions: its noise is that of the mechanism for the L2 ball of [DJW18], of the least order
// possible for small ε. A point within the ball tells its side the less reliably the shorter it is, so that reports
// average to points and not to directions.
//
// Claim: exactly ε-LDP; whatever the hyperplane, either answer is at most e^ε times as likely for one point as for
// another. Proof: docs/proofs/hyperplane.md. The estimate is unbiased to within one percent: hyperplanes have small
// integers for coefficients, 64 fair coins each, which are nearly Gaussian.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

inline constexpr std::int64_t kHyperplanes = std::int64_t{1} << 32;

// Any number of hyperplanes keeps the claim; with few, estimates are biased.
Result<std::unique_ptr<Channel>> make_hyperplane_response(const L2Ball& ball, const Epsilon& epsilon,
                                                          std::int64_t hyperplanes = kHyperplanes);

// One coefficient of a hyperplane, between −64 and 64. Public, and the same everywhere and for all time.
std::int64_t hyperplane_coefficient(std::int64_t hyperplane, std::size_t coordinate);

}  // namespace sotto
