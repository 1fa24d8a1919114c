// The enumeration behind the exact audit, for any law: also for one that no channel has, such as a mutant's.
#pragma once

#include "sotto/audit/exact_audit.h"
#include "sotto/audit/exact_law.h"

namespace sotto {

// Whether the law keeps ε: the worst ratio over all pairs of points and all reports. Proves nothing when these are only
// the most likely ones.
ExactAudit audit_law(const ExactLaw& law, const Epsilon& epsilon);

// Whether it keeps (ε, δ).
ExactAudit audit_law(const ExactLaw& law, const Epsilon& epsilon, const Delta& delta);

// The largest |channel.log_likelihood − log P| over all points and listed reports; infinite if only one is −∞.
double likelihood_error(const ExactLaw& law, const Channel& channel);

}  // namespace sotto
