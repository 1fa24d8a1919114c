#include "sotto/channel/channel.h"

#include <algorithm>
#include <limits>

namespace sotto {

Channel::Channel(Domain domain, Claim claim, std::vector<Range> ranges)
    : domain_(std::move(domain)), claim_(std::move(claim)), ranges_(std::move(ranges)) {}

bool Channel::is_possible(Report report) const {
  return std::equal(report.begin(), report.end(), ranges_.begin(), ranges_.end(),
                    [](std::int64_t value, Range range) { return range.low <= value && value <= range.high; }) &&
         is_consistent(report);
}

void Channel::sample(Point point, Entropy& entropy, std::span<std::int64_t> report) const {
  if (!contains(domain_, point) || report.size() != ranges_.size())
    throw Failure({ErrorCode::kInvalidArgument, "channel: the point lies outside the domain of the claim"});
  draw(point, entropy, report);
}

double Channel::log_likelihood(Report report, Point point) const {
  if (!is_possible(report) || !contains(domain_, point)) return -std::numeric_limits<double>::infinity();
  return log_pmf(report, point);
}

std::size_t Channel::estimate_length() const {
  if (const auto* sphere = std::get_if<DirectionAndLength>(&domain_)) return sphere->dimension;
  const auto* product = std::get_if<Product>(&domain_);
  if (product == nullptr) return point_length(domain_);
  std::size_t length = 0;
  for (const Coordinate& coordinate : product->coordinates)
    length += coordinate.ordered ? 1 : static_cast<std::size_t>(coordinate.levels);
  return length;
}

void Channel::estimate(Report report, std::span<double> point) const {
  if (!is_possible(report) || point.size() != estimate_length())
    throw Failure({ErrorCode::kInvalidArgument, "channel: not a report of this channel"});
  unbias(report, point);
}

}  // namespace sotto
