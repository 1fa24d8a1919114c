// Where things stand along an axis: round ticks, and labels that do not overlap.
#pragma once

#include <vector>

namespace sotto {

// Round numbers about (high − low)/parts apart, of which the first and the last enclose low … high. low < high.
std::vector<double> nice_ticks(double low, double high, int parts);

// The places nearest to `wanted` (ascending), in least squares, that are `gap` apart and within low … high. Where there
// is no room for that, they are evenly spread.
std::vector<double> spread_labels(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace sotto
