#include "sotto/audit/exact_audit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sotto/audit/exact_enumeration.h"
#include "sotto/audit/exact_law.h"
#include "sotto/channel/duchi.h"
#include "sotto/channel/exponential.h"
#include "sotto/channel/feature_laplace.h"
#include "sotto/channel/hadamard_response.h"
#include "sotto/channel/hyperplane_response.h"
#include "sotto/channel/lattice_gaussian.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/channel/subset_selection.h"
#include "sotto/privacy/gaussian_accounting.h"

namespace sotto {
namespace {

using Made = Result<std::unique_ptr<Channel>>;

// Whether a coordinate's law takes no more than seconds to add up and 200 MB to keep.
bool small_enough(Range points, Range reports) {
  return size_of(reports) <= (1U << 21) && size_of(points) * size_of(reports) <= (1U << 24);
}

Result<ExactAudit> audit(const Result<ExactLaw>& law, const Channel& channel) {
  if (!law) return law.error();
  const Claim& claim = channel.claim();
  ExactAudit result =
      claim.delta.is_zero() ? audit_law(*law, claim.epsilon) : audit_law(*law, claim.epsilon, claim.delta);
  result.likelihood_error = likelihood_error(*law, channel);
  return result;
}

// A channel that treats all coordinates of a ball alike.
template <typename Ball>
Result<ExactAudit> audit_ball(const Made& channel, const Ball& ball,
                              const std::function<CoordinateLaw(Range, Range)>& coordinate_law) {
  if (!channel) return channel.error();
  auto points = points_of(ball);
  if (!points) return points.error();
  const Range range{-ball.resolution, ball.resolution};
  const Range window = (*channel)->report_ranges()[0];
  if (!small_enough(range, window)) return too_large();
  return audit(product_law(std::move(*points), {ball.dimension, coordinate_law(range, window)}), **channel);
}

Result<Rational> over(const Epsilon& epsilon, std::int64_t divisor) {
  const auto share = epsilon.divided_by(static_cast<std::uint64_t>(divisor));
  if (!share) return share.error();
  return share->value();
}

}  // namespace

Result<ExactAudit> audit_lattice_laplace(const L1Ball& ball, const Epsilon& epsilon) {
  const auto rate = over(epsilon, 2 * ball.resolution);
  if (!rate) return rate.error();
  return audit_ball(make_lattice_laplace(ball, epsilon), ball,
                    [&](Range points, Range window) { return laplace_coordinate(*rate, points, window); });
}

Result<ExactAudit> audit_lattice_gaussian(const L2Ball& ball, const Epsilon& epsilon, const Delta& delta) {
  const auto diameter = static_cast<std::uint64_t>(2 * ball.resolution);
  const auto variance = discrete_gaussian_variance(diameter * diameter, epsilon, delta);
  if (!variance) return variance.error();
  return audit_ball(make_lattice_gaussian(ball, epsilon, delta), ball,
                    [&](Range points, Range window) { return gaussian_coordinate(*variance, points, window); });
}

Result<ExactAudit> audit_feature_laplace(const Product& features, const Epsilon& epsilon) {
  const Made channel = make_feature_laplace(features, epsilon);
  if (!channel) return channel.error();
  auto points = points_of(features);
  if (!points) return points.error();
  const auto share = epsilon.divided_by(features.coordinates.size());
  if (!share) return share.error();
  std::vector<CoordinateLaw> laws;
  for (std::size_t i = 0; i < features.coordinates.size(); ++i) {
    const std::int64_t widest = features.coordinates[i].levels - 1;
    const Range window = (*channel)->report_ranges()[i];
    if (!small_enough({0, widest}, window)) return too_large();
    const auto rate = over(*share, widest);
    if (!rate) return rate.error();
    laws.push_back(features.coordinates[i].ordered ? laplace_coordinate(*rate, {0, widest}, window)
                                                   : response_coordinate(widest + 1, *share));
  }
  return audit(product_law(std::move(*points), std::move(laws)), **channel);
}

Result<ExactAudit> audit_duchi(const Product& box, const Epsilon& epsilon) {
  const Made channel = make_duchi(box, epsilon);
  if (!channel) return channel.error();
  return audit(duchi_law(box, epsilon), **channel);
}

Result<ExactAudit> audit_randomized_response(std::int64_t categories, const Epsilon& epsilon) {
  const Made channel = make_randomized_response(categories, epsilon);
  if (!channel) return channel.error();
  const Range range{0, categories - 1};
  if (!small_enough(range, range)) return too_large();
  auto points = points_of(Product::categories(categories));
  if (!points) return points.error();
  return audit(product_law(std::move(*points), {response_coordinate(categories, epsilon)}), **channel);
}

Result<ExactAudit> audit_hadamard_response(std::int64_t categories, std::int64_t block, const Epsilon& epsilon) {
  const Made channel = make_hadamard_response(categories, block, epsilon);
  if (!channel) return channel.error();
  return audit(hadamard_response_law(categories, block, epsilon), **channel);
}

Result<ExactAudit> audit_exponential(const Product& codes, const Epsilon& epsilon) {
  const Made channel = make_exponential(codes, epsilon);
  if (!channel) return channel.error();
  const auto weight = exponential_weight(codes, epsilon);
  if (!weight) return weight.error();
  return audit(exponential_law(codes, *weight), **channel);
}

Result<ExactAudit> audit_hyperplane_response(const L2Ball& ball, std::int64_t hyperplanes, const Epsilon& epsilon) {
  const Made channel = make_hyperplane_response(ball, epsilon, hyperplanes);
  if (!channel) return channel.error();
  return audit(hyperplane_response_law(ball, hyperplanes, epsilon), **channel);
}

Result<ExactAudit> audit_subset_selection(std::int64_t categories, std::int64_t subset_size, const Epsilon& epsilon) {
  const Made channel = make_subset_selection(categories, subset_size, epsilon);
  if (!channel) return channel.error();
  return audit(subset_selection_law(categories, subset_size, epsilon), **channel);
}

}  // namespace sotto
