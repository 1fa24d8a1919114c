// Classes that records show by themselves, to plan with when no record has a label: the groups that are left when fine
// clusters are drawn together, those that are nearest first (Ward, 1963). Labels that people will be asked for may
// follow these groups less closely, so that a plan made with stand-ins is an upper estimate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sotto {

// One class for each row of `features`, which are compared by their directions. Fewer classes than asked for when there
// are fewer distinct directions.
std::vector<std::int32_t> stand_in_classes(std::span<const float> features, std::size_t width, std::size_t classes,
                                           std::uint64_t seed);

}  // namespace sotto
