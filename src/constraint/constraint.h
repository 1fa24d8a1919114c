// Maps whatever an encoder returns to a point of a finite domain. The encoder is not trusted: NaN, infinities,
// denormals and 1e38 all end inside the domain, which is enforced in integer arithmetic. Floating point decides *which*
// point (utility), never *whether* it is one (privacy). The one error is a wrong length.
#pragma once

#include <cstddef>
#include <span>

#include "sotto/constraint/domain.h"
#include "sotto/kernel/result.h"

namespace sotto {

class Constraint {
 public:
  virtual ~Constraint() = default;
  Constraint(const Constraint&) = delete;
  Constraint& operator=(const Constraint&) = delete;

  const Domain& domain() const { return domain_; }
  std::size_t input_length() const { return input_length_; }

  // `point` must have point_length(domain()) elements.
  Status constrain(std::span<const float> encoded, std::span<std::int64_t> point) const;

 protected:
  Constraint(Domain domain, std::size_t input_length);

 private:
  virtual void map(std::span<const float> encoded, std::span<std::int64_t> point) const = 0;

  Domain domain_;
  std::size_t input_length_;
};

}  // namespace sotto
