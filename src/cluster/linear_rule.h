// A rule that gives every point one of several codes by linear scores, in the form that a device applies
// (constraint/codebook.h): the smallest |x − centroid|² + offset.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sotto {

struct LinearRule {
  std::vector<float> centroids;  // one row a code, in no unit of the points: the rule is all that they stand for
  std::vector<float> offsets;
};

// The largest x·slope + intercept is the smallest |x − slope|² − |slope|² − 2·intercept.
inline LinearRule rule_of_scores(std::span<const float> slopes, std::span<const float> intercepts) {
  LinearRule rule{{slopes.begin(), slopes.end()}, {}};
  const std::size_t width = slopes.size() / intercepts.size();
  for (std::size_t code = 0; code < intercepts.size(); ++code) {
    double square = 0;
    for (const float value : slopes.subspan(code * width, width))
      square += static_cast<double>(value) * static_cast<double>(value);
    rule.offsets.push_back(static_cast<float>(-square - 2 * static_cast<double>(intercepts[code])));
  }
  return rule;
}

}  // namespace sotto
