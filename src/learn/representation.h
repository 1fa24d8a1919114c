// One space for records and reports: what a classifier sees of a record at inference, and of a report while it learns.
// For a report it is the channel's unbiased estimate of the point it came from, for a record that point itself, both in
// the encoder's units (features of a box scaled to [0, 1], categories as one-hot blocks).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/mechanism/mechanism.h"

namespace sotto {

class Representation {
 public:
  Representation(const Mechanism& mechanism, Release release);

  std::size_t width() const { return scales_.size(); }

  // Where records land before any noise, as points of the channel's domain. For records the collector may see.
  Result<std::vector<std::int64_t>> points_of(std::span<const float> records, std::size_t count) const;

  // count × width().
  std::vector<float> of_points(std::span<const std::int64_t> points) const;
  std::vector<float> of_reports(std::span<const std::int64_t> reports) const;  // features only, one after another

 private:
  Release release_;
  std::vector<float> scales_;  // from lattice units to the encoder's
};

// For records alone: their representation does not depend on the privacy parameters; a report's does.
Result<Representation> representation_of_records(const Mechanism& mechanism);

}  // namespace sotto
