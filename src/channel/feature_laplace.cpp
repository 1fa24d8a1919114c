#include "sotto/channel/feature_laplace.h"

#include <utility>
#include <variant>

#include "sotto/channel/clamped_laplace.h"
#include "sotto/channel/randomized_response.h"

namespace sotto {
namespace {

using Part = std::variant<ClampedLaplace, RandomizedResponse>;

std::vector<Range> ranges_of(const std::vector<Part>& parts) {
  std::vector<Range> ranges;
  for (const Part& part : parts) {
    const auto* laplace = std::get_if<ClampedLaplace>(&part);
    ranges.push_back(laplace != nullptr ? laplace->report_range()
                                        : Range{0, std::get<RandomizedResponse>(part).categories() - 1});
  }
  return ranges;
}

class FeatureLaplace final : public Channel {
 public:
  FeatureLaplace(Product features, const Epsilon& epsilon, std::vector<Part> parts)
      : Channel(std::move(features), {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/composition.md"},
                ranges_of(parts)),
        parts_(std::move(parts)) {}

 private:
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      report[i] = std::visit([&](const auto& part) { return part.sample(point[i], entropy); }, parts_[i]);
  }

  double log_pmf(Report report, Point point) const override {
    double sum = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      sum += std::visit([&](const auto& part) { return part.log_pmf(report[i], point[i]); }, parts_[i]);
    return sum;
  }

  void unbias(Report report, std::span<double> point) const override {
    std::size_t next = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (const auto* response = std::get_if<RandomizedResponse>(&parts_[i])) {
        const auto width = static_cast<std::size_t>(response->categories());
        response->unbias(report[i], point.subspan(next, width));
        next += width;
      } else {
        point[next++] = static_cast<double>(report[i]);
      }
    }
  }

  std::vector<Part> parts_;
};

Result<Part> make_part(const Coordinate& coordinate, const Epsilon& epsilon) {
  if (coordinate.ordered) {
    const std::int64_t widest = coordinate.levels - 1;
    auto laplace = ClampedLaplace::make(epsilon, widest, {0, widest});
    if (!laplace) return laplace.error();
    return Part(*laplace);
  }
  auto response = RandomizedResponse::make(coordinate.levels, epsilon);
  if (!response) return response.error();
  return Part(*response);
}

}  // namespace

Result<std::unique_ptr<Channel>> make_feature_laplace(Product features, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(features)); !status) return status.error();
  const auto epsilon_per_feature = epsilon.divided_by(features.coordinates.size());
  if (!epsilon_per_feature) return epsilon_per_feature.error();
  std::vector<Part> parts;
  for (const Coordinate& coordinate : features.coordinates) {
    auto part = make_part(coordinate, *epsilon_per_feature);
    if (!part) return part.error();
    parts.push_back(*part);
  }
  return std::unique_ptr<Channel>(std::make_unique<FeatureLaplace>(std::move(features), epsilon, std::move(parts)));
}

}  // namespace sotto
