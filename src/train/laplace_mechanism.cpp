#include "sotto/train/laplace_mechanism.h"

#include <utility>

namespace sotto {

MechanismSpec laplace_mechanism(Network encoder, float l1_radius, const InputSchema& input,
                                const std::optional<LabelSchema>& label, std::int64_t resolution,
                                std::map<std::string, std::string> provenance) {
  return MechanismSpec{input,
                       label,
                       std::move(encoder),
                       L1LatticeSpec{static_cast<double>(l1_radius), resolution},
                       ChannelFamily::kLatticeLaplace,
                       std::move(provenance)};
}

}  // namespace sotto
