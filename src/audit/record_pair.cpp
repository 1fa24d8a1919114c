#include "sotto/audit/record_pair.h"

#include <algorithm>
#include <cmath>

namespace sotto {
namespace {

constexpr std::size_t kMostRows = 32;
constexpr std::size_t kRandomRecords = 64;
constexpr float kFar = 1e4F;  // far outside any ball, so that the constraint sends it to the surface

std::vector<std::vector<float>> candidates(const Network& encoder, Entropy& entropy) {
  const std::size_t width = encoder.input_width();
  std::vector<std::vector<float>> records = {std::vector<float>(width, 0.0F), std::vector<float>(width, 1.0F),
                                             std::vector<float>(width, -kFar), std::vector<float>(width, kFar)};
  const auto* layer = encoder.layers().empty() ? nullptr : std::get_if<DenseLayer>(&encoder.layers().front());
  for (std::size_t row = 0; layer != nullptr && row < std::min(layer->outputs, kMostRows); ++row) {
    for (const float factor : {-kFar, kFar}) {
      auto& record = records.emplace_back(width);
      for (std::size_t i = 0; i < width; ++i) record[i] = factor * layer->weights[row * width + i];
    }
  }
  for (std::size_t n = 0; n < kRandomRecords; ++n) {
    auto& record = records.emplace_back(width);
    for (float& value : record) value = static_cast<float>(entropy.take<std::uint16_t>()) / 65535.0F;
  }
  return records;
}

double distance(const Domain& domain, Point a, Point b) {
  const auto* product = std::get_if<Product>(&domain);
  if (product != nullptr && !product->distances.empty())
    return product->distances[static_cast<std::size_t>(a[0] * product->coordinates[0].levels + b[0])];
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double step = std::abs(static_cast<double>(a[i] - b[i]));
    if (product != nullptr)
      step = product->coordinates[i].ordered ? step / static_cast<double>(product->coordinates[i].levels - 1)
                                             : std::min(step, 1.0);
    sum += step;
  }
  return sum;
}

}  // namespace

Result<RecordPair> find_distant_pair(const Mechanism& mechanism, const Release& release, Entropy& entropy) {
  const auto records = candidates(mechanism.spec().encoder, entropy);
  std::vector<std::vector<std::int64_t>> points;
  for (const auto& record : records) {
    auto point = release.point_of(record);
    if (!point) return point.error();
    points.push_back(std::move(*point));
  }
  std::size_t first = 0;
  std::size_t second = 0;
  double farthest = -1;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double apart = distance(mechanism.domain(), points[i], points[j]); apart > farthest) {
        farthest = apart;
        first = i;
        second = j;
      }
  return RecordPair{records[first], records[second], points[first], points[second]};
}

}  // namespace sotto
