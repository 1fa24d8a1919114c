// Four kinds of records of 12 features in [0, 1], easy to tell apart: enough for a training test that takes a second.
#pragma once

#include "sotto/data/dataset.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {

inline Dataset make_blobs(std::size_t rows, std::uint64_t seed) {
  constexpr std::size_t kWidth = 12, kKinds = 4;
  SeededEntropy entropy(seed);
  Dataset data{rows, kWidth, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t kind = row % kKinds;
    data.labels.push_back(static_cast<std::int32_t>(kind));
    for (std::size_t i = 0; i < kWidth; ++i) {
      const bool bright = i / (kWidth / kKinds) == kind;
      data.values.push_back((bright ? 0.7F : 0.0F) +
                            0.3F * static_cast<float>(entropy.take<std::uint16_t>()) / 65536.0F);
    }
  }
  return data;
}

}  // namespace sotto
