#include "sotto/train/l1_projection.h"

#include <cmath>

namespace sotto {
namespace {

float l1_norm(std::span<const float> point) {
  float sum = 0;
  for (const float value : point) sum += std::abs(value);
  return sum;
}

}  // namespace

void project_to_l1_ball(float radius, std::size_t width, std::span<float> points) {
  for (std::size_t row = 0; row < points.size(); row += width) {
    const auto point = points.subspan(row, width);
    const float norm = l1_norm(point);
    if (norm > radius)
      for (float& value : point) value *= radius / norm;
  }
}

void chain_l1_projection(float radius, std::size_t width, std::span<const float> points, std::span<float> gradient) {
  for (std::size_t row = 0; row < points.size(); row += width) {
    const auto point = points.subspan(row, width);
    const float norm = l1_norm(point);
    if (norm <= radius) continue;
    float along = 0;
    for (std::size_t i = 0; i < width; ++i) along += gradient[row + i] * point[i];
    for (std::size_t i = 0; i < width; ++i) {
      const auto sign = static_cast<float>((point[i] > 0) - (point[i] < 0));
      gradient[row + i] = radius / norm * (gradient[row + i] - sign * along / norm);
    }
  }
}

double mean_l1_norm(std::size_t width, std::span<const float> points) {
  double sum = 0;
  for (const float value : points) sum += std::abs(static_cast<double>(value));
  return sum * static_cast<double>(width) / static_cast<double>(points.size());
}

}  // namespace sotto
