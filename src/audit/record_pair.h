// Two records that a mechanism should find it hardest to hide from one another: an attacker may choose any, so the
// search tries extreme ones, among them those along which the encoder's first layer is most sensitive.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sotto/kernel/entropy.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto {

struct RecordPair {
  std::vector<float> first, second;
  std::vector<std::int64_t> first_point, second_point;  // where they land before the noise
};

// The pair whose points lie farthest apart in the domain, among a few hundred candidates.
Result<RecordPair> find_distant_pair(const Mechanism& mechanism, const Release& release, Entropy& entropy);

}  // namespace sotto
