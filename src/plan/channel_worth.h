// What a channel for categories is worth to a collector, found by drawing from it and asking it for likelihoods and
// estimates, so that it holds for every channel. For planning; promises nothing.
#pragma once

#include <cstdint>

#include "sotto/channel/channel.h"
#include "sotto/mechanism/spec.h"

namespace sotto {

struct ChannelWorth {
  double information = 0;  // mutual information of a category and its report, in bits, all categories equally frequent
  double variance = 0;     // of what one report says about the share of a category, on average over the categories
};

// For a channel whose domain is one category. Both to within about two percent.
ChannelWorth worth_of(const Channel& channel, std::uint64_t seed);

struct ValuedFamily {
  ChannelFamily family;
  ChannelWorth worth;
};

// The channel for categories with the least variance. Families that need more than a number of categories are left out.
Result<ValuedFamily> best_family(std::int64_t categories, const Epsilon& epsilon, std::uint64_t seed);

}  // namespace sotto
