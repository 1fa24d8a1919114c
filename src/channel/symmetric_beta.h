// inexact: the Beta(a, a) law in floating point; I_x(a, a), its inverse, and a partial mean.
//
// If V is uniform on the unit sphere of R^d and u a unit vector, then X = (1 − ⟨V, u⟩)/2 has this law with a = (d−1)/2.
// X is kept rather than ⟨V, u⟩ because narrow caps around u are small X, which a double resolves.
//
// Relative error below 1e-12 for cdf and below 1e-11 for quantile, for 1/2 ≤ a ≤ 2^19, checked against Boost.Math.
// Costs about 12·√a multiplications at worst.
#pragma once

namespace sotto {

class SymmetricBeta {
 public:
  explicit SymmetricBeta(double a);  // precondition: a > 0

  // P(X ≤ x) = I_x(a, a), for 0 ≤ x ≤ 1.
  double cdf(double x) const;

  // The x with P(X ≤ x) = q, for 0 < q < 1.
  double quantile(double q) const;

  // E[(1 − 2X)·1(X ≤ x)] = (4x(1−x))^a / (4^a·a·B(a, a)).
  double partial_mean(double x) const;

 private:
  double lower_quantile(double q) const;
  double series(double x) const;

  double a_;
  double scale_;  // 1 / (4^a·a·B(a, a))
};

}  // namespace sotto
