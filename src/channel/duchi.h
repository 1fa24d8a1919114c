// Duchi's mechanism for many bounded numbers at once [DJW18], as corrected for even dimensions in [Wan19, Alg. 3].
//
// Rounds the record at random to a corner v of the cube, then reports a corner s: one with s·v > 0 is e^ε times as
// likely as any other. Claim: exactly ε-LDP; all of it happens in integers. Proof: docs/proofs/duchi.md.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

// All coordinates must be ordered. A report is one bit per coordinate. log_likelihood costs O(d²).
Result<std::unique_ptr<Channel>> make_duchi(Product box, const Epsilon& epsilon);

}  // namespace sotto
