#include "sotto/constraint/codebook.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "sotto/constraint/lattice_rounding.h"

namespace sotto {
namespace {

class Codebook final : public Constraint {
 public:
  Codebook(Product codes, std::vector<float> centroids, std::size_t width, std::vector<float> offsets)
      : Constraint(std::move(codes), width), centroids_(std::move(centroids)), offsets_(std::move(offsets)) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    const std::size_t width = encoded.size();
    double best = std::numeric_limits<double>::infinity();
    point[0] = 0;
    for (std::size_t code = 0; code * width < centroids_.size(); ++code) {
      double distance = offsets_.empty() ? 0 : static_cast<double>(offsets_[code]);
      for (std::size_t i = 0; i < width; ++i) {
        const double difference = finite_or_zero(encoded[i]) - static_cast<double>(centroids_[code * width + i]);
        distance += difference * difference;
      }
      if (distance < best) {
        best = distance;
        point[0] = static_cast<std::int64_t>(code);
      }
    }
  }

  std::vector<float> centroids_, offsets_;
};

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace

Result<std::unique_ptr<Constraint>> make_codebook(std::vector<float> centroids, std::size_t width,
                                                  std::vector<std::uint8_t> distances, std::vector<float> offsets) {
  if (width < 1 || width > kMaxDimension || centroids.size() % width != 0)
    return refuse("codebook: " + std::to_string(centroids.size()) + " values do not form rows of width " +
                  std::to_string(width));
  const std::size_t count = centroids.size() / width;
  Product codes = Product::categories(static_cast<std::int64_t>(count));
  codes.distances = std::move(distances);
  if (const Status status = validate(Domain(codes)); !status) return status.error();
  if (!offsets.empty() && offsets.size() != count)
    return refuse("codebook: " + std::to_string(offsets.size()) + " offsets for " + std::to_string(count) + " codes");
  if (!all_finite(centroids) || !all_finite(offsets)) return refuse("codebook: centroids and offsets must be finite");
  return std::unique_ptr<Constraint>(
      std::make_unique<Codebook>(std::move(codes), std::move(centroids), width, std::move(offsets)));
}

}  // namespace sotto
