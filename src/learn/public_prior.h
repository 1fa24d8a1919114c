// The collector's own records as the prior over where a report may have come from [Man21, Eq. 9], drawn together into
// few points: records that land close to one another, compared with the noise, explain a report equally well.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/learn/representation.h"

namespace sotto {

struct PublicPrior {
  std::vector<std::int64_t> points;            // of the channel's domain without labels, one after another
  std::vector<std::uint32_t> place_of_record;  // which of them stands for each public record
  std::size_t size = 0;                        // how many points

  // For every point the sum of the rows of its records: records × width becomes size × width.
  std::vector<float> sum_by_point(std::span<const float> rows, std::size_t width) const;
};

// At most `most` points: the record nearest to the centre of each cluster. Few enough distinct points stay as they are.
Result<PublicPrior> make_public_prior(const Representation& representation, std::span<const float> records,
                                      std::size_t count, std::size_t most, std::uint64_t seed);

}  // namespace sotto
