#include "sotto/learn/representation.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "sotto/backprop/lanes.h"

namespace sotto {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not deduce it for an aggregate

float unit_of(const ConstraintSpec& constraint) {
  const auto ratio = [](double size, std::int64_t steps) {
    return static_cast<float>(size / static_cast<double>(steps));
  };
  return std::visit(
      Overloaded{[&](const L1LatticeSpec& ball) { return ratio(ball.radius, ball.resolution); },
                 [&](const L2LatticeSpec& ball) { return ratio(ball.radius, ball.resolution); },
                 [&](const DirectionAndLengthSpec& sphere) { return ratio(sphere.max_length, sphere.resolution); },
                 [](const FeatureBoxSpec&) { return 1.0F; }, [](const CodebookSpec&) { return 1.0F; }},
      constraint);
}

std::vector<float> scales_of(const Mechanism& mechanism, const Channel& channel) {
  const auto* product = std::get_if<Product>(&channel.domain());
  if (product == nullptr) return std::vector<float>(channel.estimate_length(), unit_of(mechanism.spec().constraint));
  std::vector<float> scales;
  for (const Coordinate& coordinate : product->coordinates)
    if (coordinate.ordered)
      scales.push_back(1 / static_cast<float>(coordinate.levels - 1));
    else
      scales.insert(scales.end(), static_cast<std::size_t>(coordinate.levels), 1);
  return scales;
}

// Coordinates in order, each category as a one-hot block, a direction times its length: the form that
// Channel::estimate gives to a report.
void spread(const Domain& domain, Point point, std::span<float> values) {
  if (const auto* product = std::get_if<Product>(&domain)) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const Coordinate& coordinate = product->coordinates[i];
      if (coordinate.ordered) {
        values[place++] = static_cast<float>(point[i]);
        continue;
      }
      for (std::int64_t level = 0; level < coordinate.levels; ++level) values[place++] = level == point[i] ? 1 : 0;
    }
    return;
  }
  double factor = 1;
  if (std::holds_alternative<DirectionAndLength>(domain)) {
    double square = 0;
    for (const std::int64_t value : point.first(point.size() - 1)) square += std::pow(static_cast<double>(value), 2);
    factor = static_cast<double>(point.back()) / std::sqrt(square);
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(factor * static_cast<double>(point[i]));
}

}  // namespace

Representation::Representation(const Mechanism& mechanism, Release release)
    : release_(std::move(release)), scales_(scales_of(mechanism, release_.channel())) {}

Result<std::vector<std::int64_t>> Representation::points_of(std::span<const float> records, std::size_t count) const {
  const std::size_t width = count == 0 ? 0 : records.size() / count;
  std::array<std::optional<Result<std::vector<std::int64_t>>>, kLanes> halves;
  run_lanes([&](Lane& lane) {
    const auto part = lane.part_of(count);
    const std::size_t end = part.end == count ? records.size() : part.end * width;  // values too many are noticed, too
    halves[lane.index()] =
        release_.points_of(records.subspan(part.begin * width, end - part.begin * width), part.size());
  });
  std::vector<std::int64_t> points;
  for (const auto& half : halves) {
    if (!*half) return half->error();
    points.insert(points.end(), (*half)->begin(), (*half)->end());
  }
  return points;
}

std::vector<float> Representation::of_points(std::span<const std::int64_t> points) const {
  const Domain& domain = release_.channel().domain();
  const std::size_t length = point_length(domain), count = points.size() / length;
  std::vector<float> values(count * width());
  for (std::size_t row = 0; row < count; ++row) {
    const auto place = std::span(values).subspan(row * width(), width());
    spread(domain, points.subspan(row * length, length), place);
    for (std::size_t i = 0; i < width(); ++i) place[i] *= scales_[i];
  }
  return values;
}

std::vector<float> Representation::of_reports(std::span<const std::int64_t> reports) const {
  const std::size_t length = release_.channel().report_length(), count = reports.size() / length;
  std::vector<float> values(count * width());
  std::vector<double> estimate(width());
  for (std::size_t row = 0; row < count; ++row) {
    release_.channel().estimate(reports.subspan(row * length, length), estimate);
    for (std::size_t i = 0; i < width(); ++i) values[row * width() + i] = scales_[i] * static_cast<float>(estimate[i]);
  }
  return values;
}

Result<Representation> representation_of_records(const Mechanism& mechanism) {
  ReleaseParameters any{Epsilon::parse("1").value_or_throw()};
  if (mechanism.spec().channel == ChannelFamily::kLatticeGaussian) any.delta = Delta::parse("1e-5").value_or_throw();
  auto release = mechanism.release(any, InexactChannels::kAllowForExperiments);
  if (!release) return release.error();
  return Representation(mechanism, std::move(*release));
}

}  // namespace sotto
