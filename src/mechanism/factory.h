// From specification to working parts. A combination that has no proof has no parts: it is an error here.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"
#include "sotto/constraint/constraint.h"
#include "sotto/mechanism/spec.h"

namespace sotto {

Result<std::unique_ptr<Constraint>> make_constraint(const MechanismSpec& spec);

// The channel of the family on the domain; δ must be given exactly when the family needs one.
Result<std::unique_ptr<Channel>> make_channel(ChannelFamily family, const Domain& domain, const Epsilon& epsilon,
                                              const Delta& delta);

}  // namespace sotto
