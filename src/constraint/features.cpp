#include "sotto/constraint/features.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {
namespace {

Product domain_of(const std::vector<FeatureBounds>& features, std::int64_t resolution) {
  Product product;
  for (const FeatureBounds& feature : features)
    product.coordinates.push_back(feature.categories > 0 ? Coordinate{feature.categories, false}
                                                         : Coordinate{resolution + 1, true});
  return product;
}

std::int64_t level_of(double value, const FeatureBounds& feature, std::int64_t resolution) {
  if (std::isnan(value)) return resolution / 2;
  const double clipped = std::clamp(value, feature.minimum, feature.maximum);
  const double share = (clipped - feature.minimum) / (feature.maximum - feature.minimum);
  const auto level = static_cast<std::int64_t>(std::lround(share * static_cast<double>(resolution)));
  return std::clamp<std::int64_t>(level, 0, resolution);
}

std::int64_t category_of(double value, std::int64_t categories) {
  if (!(value >= 0 && value < static_cast<double>(categories))) return 0;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(value), 0, categories - 1);
}

class FeatureBox final : public Constraint {
 public:
  FeatureBox(std::vector<FeatureBounds> features, std::int64_t resolution)
      : Constraint(domain_of(features, resolution), features.size()),
        features_(std::move(features)),
        resolution_(resolution) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    for (std::size_t i = 0; i < features_.size(); ++i)
      point[i] = features_[i].categories > 0 ? category_of(encoded[i], features_[i].categories)
                                             : level_of(encoded[i], features_[i], resolution_);
  }

  std::vector<FeatureBounds> features_;
  std::int64_t resolution_;
};

}  // namespace

Result<std::unique_ptr<Constraint>> make_feature_box(std::vector<FeatureBounds> features, std::int64_t resolution) {
  if (const Status status = validate(Domain(domain_of(features, resolution))); !status) return status.error();
  for (std::size_t i = 0; i < features.size(); ++i) {
    const FeatureBounds& feature = features[i];
    if (feature.categories < 0)
      return refuse("feature " + std::to_string(i) + ": categories must not be negative, got " +
                    std::to_string(feature.categories));
    const double span = feature.maximum - feature.minimum;
    if (feature.categories == 0 && !(std::isfinite(span) && span > 0))
      return refuse("feature " + std::to_string(i) + ": bounds must be finite with minimum < maximum");
  }
  return std::unique_ptr<Constraint>(std::make_unique<FeatureBox>(std::move(features), resolution));
}

}  // namespace sotto
