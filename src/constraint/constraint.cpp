#include "sotto/constraint/constraint.h"

#include <string>
#include <utility>

namespace sotto {

Constraint::Constraint(Domain domain, std::size_t input_length)
    : domain_(std::move(domain)), input_length_(input_length) {}

Status Constraint::constrain(std::span<const float> encoded, std::span<std::int64_t> point) const {
  if (encoded.size() != input_length_)
    return Error{ErrorCode::kInvalidInput, "constraint: expected " + std::to_string(input_length_) +
                                               " encoded values, got " + std::to_string(encoded.size())};
  if (point.size() != point_length(domain_))
    return refuse("constraint: expected room for " + std::to_string(point_length(domain_)) + " integers, got " +
                  std::to_string(point.size()));
  map(encoded, point);
  return {};
}

}  // namespace sotto
