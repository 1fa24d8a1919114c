#include "sotto/evaluate/ceilings.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>

namespace sotto {
namespace {

constexpr double kMaxEpsilon = 1000;
constexpr int kMaxClasses = 1'000'000;

bool in_range(double epsilon, int classes) {
  return 0 <= epsilon && epsilon <= kMaxEpsilon && 2 <= classes && classes <= kMaxClasses;
}

// The largest of |z_1| … |z_axes| and, when a class is alone on its axis, z_{axes+1}, for independent Laplace(0, 1)
// coordinates: how far a report lies toward its likeliest class.
struct FarthestReach {
  double axes;   // that have a class at both ends
  double alone;  // 1 when one class is left over, else 0

  // 1 − P(reach ≤ x), divided by e^{−x}, for which `decay` stands: stays exact where both vanish.
  double tail_over_decay(double decay) const {
    if (decay == 0) return axes + alone / 2;
    const double log_cdf = axes * std::log1p(-decay) + alone * std::log1p(-decay / 2);
    return -std::expm1(log_cdf) / decay;
  }

  // The density at x > 0, divided by e^{−x}.
  double density_over_decay(double x) const {
    const double decay = std::exp(-x);
    const double within = -std::expm1(-x);  // P(|z| ≤ x)
    const double log_within = within < 0.5 ? std::log(within) : std::log1p(-decay);
    const double all_but_one = std::exp((axes - 1) * log_within);
    return axes * all_but_one * (1 - alone * decay / 2) + alone * all_but_one * within / 2;
  }
};

}  // namespace

// The best classifier picks the likeliest class, so A = 1/K ∫ max_k p(z | k) dz = 1/K E[exp(max_k (|z|₁ − |z − c_k|₁))]
// over noise z about the origin. With the scale of the noise as unit the vertices are at ±c e_i, c = ε/2, and the
// exponent is 2·reach − c, at most c. The paper's sum alternates and loses all digits for small ε or many classes; here
// every term is positive.
double laplace_sphere_ceiling(double epsilon, int classes) {
  if (!in_range(epsilon, classes)) return std::numeric_limits<double>::quiet_NaN();
  const FarthestReach reach = {static_cast<double>(classes / 2), static_cast<double>(classes % 2)};
  const double c = epsilon / 2;
  double sum = reach.tail_over_decay(std::exp(-c));  // from reports beyond the vertices
  const auto integrand = [&](double x) { return std::exp(x - c) * reach.density_over_decay(x); };
  // Below c − 45 lies less than e^{−45} of the whole. On panels of length 1 the twenty points leave less than 1e-16:
  // the integrand is entire and bounded in a strip of half-width π/3.
  const double begin = std::max(0.0, c - 45);
  const int panels = static_cast<int>(std::ceil(c - begin));
  const double width = panels == 0 ? 0 : (c - begin) / panels;
  for (int i = 0; i < panels; ++i)
    sum += boost::math::quadrature::gauss<double, 20>::integrate(integrand, begin + i * width, begin + (i + 1) * width);
  return sum / classes;
}

double any_channel_ceiling(double epsilon, int classes) {
  if (!in_range(epsilon, classes)) return std::numeric_limits<double>::quiet_NaN();
  return 1 / (1 + (classes - 1) * std::exp(-epsilon));
}

}  // namespace sotto
