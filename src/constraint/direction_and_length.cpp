#include "sotto/constraint/direction_and_length.h"

#include <algorithm>
#include <cmath>

#include "sotto/constraint/ball_lattice.h"
#include "sotto/constraint/lattice_rounding.h"

namespace sotto {
namespace {

class Sphere final : public Constraint {
 public:
  Sphere(DirectionAndLength domain, double max_length)
      : Constraint(domain, domain.dimension), resolution_(domain.resolution), max_length_(max_length) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    const double norm = l2_norm(encoded);
    const auto direction = point.first(encoded.size());
    if (norm > 0) {
      round_to_lattice(encoded, norm, 0, resolution_, direction);
      shrink_into_l2_ball(direction, resolution_);
    }
    const bool has_direction =
        norm > 0 && std::any_of(direction.begin(), direction.end(), [](std::int64_t k) { return k != 0; });
    if (!has_direction) {
      std::fill(direction.begin(), direction.end(), 0);
      direction[0] = resolution_;
    }
    const double share = std::min(norm / max_length_, 1.0);
    const auto length = static_cast<std::int64_t>(std::lround(share * static_cast<double>(resolution_)));
    point.back() = has_direction ? std::clamp<std::int64_t>(length, 0, resolution_) : 0;
  }

  std::int64_t resolution_;
  double max_length_;
};

}  // namespace

Result<std::unique_ptr<Constraint>> make_direction_and_length(DirectionAndLength domain, double max_length) {
  if (const Status status = validate(Domain(domain)); !status) return status.error();
  if (const Status status = validate_radius("max_length", max_length); !status) return status.error();
  return std::unique_ptr<Constraint>(std::make_unique<Sphere>(domain, max_length));
}

}  // namespace sotto
