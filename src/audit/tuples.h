// Lists of integer tuples of one length (the points of a small domain, the reports of a small channel) and their
// exhaustive enumeration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sotto/channel/channel.h"
#include "sotto/constraint/domain.h"
#include "sotto/kernel/result.h"

namespace sotto {

class Tuples {
 public:
  explicit Tuples(std::size_t length) : length_(length) {}

  std::size_t length() const { return length_; }
  std::size_t size() const { return values_.size() / length_; }
  std::span<const std::int64_t> operator[](std::size_t i) const {
    return std::span<const std::int64_t>(values_).subspan(i * length_, length_);
  }
  void push_back(std::span<const std::int64_t> tuple) { values_.insert(values_.end(), tuple.begin(), tuple.end()); }

 private:
  std::size_t length_;
  std::vector<std::int64_t> values_;
};

// All tuples with the i-th element in the i-th range, in lexicographic order, if `keep` says so. Tries at most 2^22.
Result<Tuples> enumerate(const std::vector<Range>& ranges,
                         const std::function<bool(std::span<const std::int64_t>)>& keep);

// All points of a domain, found by trying every point of the box around it, and one step around that, against a
// definition of its own; where the domain's `contains` says otherwise, this is an error.
Result<Tuples> points_of(const Domain& domain);

std::vector<std::int64_t> integers(Range range);
std::size_t size_of(Range range);

// The error about whatever would take more than a minute or so to enumerate. Its code is kUnsupported.
Error too_large();

}  // namespace sotto
