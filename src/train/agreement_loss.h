// How much two views of a record agree on a code, as the mutual information of the two codes [JHV19]: high when views
// of one record get the same code and different records different ones, all codes being used.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sotto {

struct AgreementMemory {
  std::vector<float> shares, joint, slope;
};

// `logits` holds 2·pairs rows of `codes`; rows i and pairs + i belong together. Returns minus the mutual information in
// nats and writes its gradient times `weight`.
double agreement_loss(std::span<const float> logits, std::size_t codes, float weight, AgreementMemory& memory,
                      std::span<float> gradient);

}  // namespace sotto
