#include "sotto/train/aligned_mechanism.h"

#include <utility>

namespace sotto {

Result<MechanismSpec> aligned_mechanism(const DenseNetwork& encoder, float l1_radius, const InputSchema& input,
                                        const std::optional<LabelSchema>& label, std::int64_t resolution,
                                        std::map<std::string, std::string> provenance) {
  auto network = encoder.to_network();
  if (!network) return network.error();
  return MechanismSpec{input,
                       label,
                       std::move(*network),
                       L1LatticeSpec{static_cast<double>(l1_radius), resolution},
                       ChannelFamily::kLatticeLaplace,
                       std::move(provenance)};
}

}  // namespace sotto
