#include "sotto/learn/standardization.h"

#include <cmath>

namespace sotto {

Standardization Standardization::of(std::span<const float> rows, std::size_t width) {
  std::vector<double> sum(width, 0), squares(width, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) sum[i % width] += static_cast<double>(rows[i]);
  const double count = static_cast<double>(rows.size()) / static_cast<double>(width);
  for (double& value : sum) value /= count;
  for (std::size_t i = 0; i < rows.size(); ++i)
    squares[i % width] += std::pow(static_cast<double>(rows[i]) - sum[i % width], 2);
  Standardization result;
  for (std::size_t i = 0; i < width; ++i) {
    const double deviation = std::sqrt(squares[i] / count);
    result.mean.push_back(static_cast<float>(sum[i]));
    result.scale.push_back(deviation > 1e-6 ? static_cast<float>(1 / deviation) : 1);
  }
  return result;
}

std::vector<float> Standardization::apply(std::span<const float> rows) const {
  std::vector<float> standardised(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    standardised[i] = (rows[i] - mean[i % mean.size()]) * scale[i % mean.size()];
  return standardised;
}

void Standardization::fold_into(TrainableNetwork& network) const {
  const auto [weights, bias] = network.first_layer();
  for (std::size_t o = 0; o < bias.size(); ++o)
    for (std::size_t i = 0; i < mean.size(); ++i) {
      float& weight = weights[o * mean.size() + i];
      weight *= scale[i];
      bias[o] -= weight * mean[i];
    }
}

}  // namespace sotto
