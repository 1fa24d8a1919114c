// Small domains for the exact audit of a channel whose own domain is too large to enumerate.
#pragma once

#include <vector>

#include "sotto/constraint/domain.h"

namespace sotto {

// Domains of the same family, none larger than the given one in any respect: lattices with 1, 2, 3 coordinates and
// resolutions 1, 2, 3, 5; products of up to three coordinates, of both kinds if there are both, with 2, 3, 5, 8 levels.
// Categories with distances keep those of the first 2, 3, 5, 8, and come all together as well: there are at most 1,024.
// At a small ε the larger of them may still be too large for an exact audit; the smallest only where λ leaves the
// features a small part of an ε that is small already.
std::vector<Domain> scaled_down(const Domain& domain);

}  // namespace sotto
