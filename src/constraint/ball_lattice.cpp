#include "sotto/constraint/ball_lattice.h"

#include "sotto/constraint/lattice_rounding.h"
#include "sotto/kernel/integer_sqrt.h"

namespace sotto {
namespace {

// Multiplies by numerator/denominator ≤ 1, rounding towards zero, so that no |k_i| grows.
void scale_towards_zero(std::span<std::int64_t> k, std::int64_t numerator, std::int64_t denominator) {
  for (std::int64_t& value : k) value = value * numerator / denominator;
}

class L1Lattice final : public Constraint {
 public:
  L1Lattice(L1Ball ball, double radius) : Constraint(ball, ball.dimension), ball_(ball), radius_(radius) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    round_to_lattice(encoded, l1_norm(encoded), radius_, ball_.resolution, point);
    shrink_into_l1_ball(point, ball_.resolution);
  }

  L1Ball ball_;
  double radius_;
};

class L2Lattice final : public Constraint {
 public:
  L2Lattice(L2Ball ball, double radius) : Constraint(ball, ball.dimension), ball_(ball), radius_(radius) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    round_to_lattice(encoded, l2_norm(encoded), radius_, ball_.resolution, point);
    shrink_into_l2_ball(point, ball_.resolution);
  }

  L2Ball ball_;
  double radius_;
};

template <typename Lattice, typename Ball>
Result<std::unique_ptr<Constraint>> make(const char* radius_name, Ball ball, double radius) {
  if (const Status status = validate(Domain(ball)); !status) return status.error();
  if (const Status status = validate_radius(radius_name, radius); !status) return status.error();
  return std::unique_ptr<Constraint>(std::make_unique<Lattice>(ball, radius));
}

}  // namespace

// Σ ⌊|k_i|·G/S⌋ ≤ Σ|k_i|·G/S = G for S = Σ|k_i|.
void shrink_into_l1_ball(std::span<std::int64_t> k, std::int64_t resolution) {
  std::int64_t norm = 0;
  for (const std::int64_t value : k) norm += value < 0 ? -value : value;
  if (norm > resolution) scale_towards_zero(k, resolution, norm);
}

// Σ ⌊|k_i|·G/R⌋² ≤ G²·Σk_i²/R² ≤ G² for any R ≥ √Σk_i²; R = ⌊√(Σk_i² − 1)⌋ + 1 is such an integer.
void shrink_into_l2_ball(std::span<std::int64_t> k, std::int64_t resolution) {
  std::int64_t squares = 0;
  for (const std::int64_t value : k) squares += value * value;
  if (squares <= resolution * resolution) return;
  const auto root = static_cast<std::int64_t>(floor_sqrt(static_cast<std::uint64_t>(squares - 1))) + 1;
  scale_towards_zero(k, resolution, root);
}

Result<std::unique_ptr<Constraint>> make_l1_lattice(L1Ball ball, double l1_radius) {
  return make<L1Lattice>("l1_radius", ball, l1_radius);
}

Result<std::unique_ptr<Constraint>> make_l2_lattice(L2Ball ball, double l2_radius) {
  return make<L2Lattice>("l2_radius", ball, l2_radius);
}

}  // namespace sotto
