// Each feature on its own with ε/d: discrete Laplace noise for an ordered one, randomised response for a category. The
// benchmark of [Man21, D.2].
//
// Claim: exactly ε-LDP by composing d exact (ε/d)-LDP reports. Proof: docs/proofs/composition.md.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

Result<std::unique_ptr<Channel>> make_feature_laplace(Product features, const Epsilon& epsilon);

}  // namespace sotto
