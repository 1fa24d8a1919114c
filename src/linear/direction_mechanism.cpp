#include "sotto/linear/direction_mechanism.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sotto/linear/pca.h"

namespace sotto {
namespace {

InputSchema numbers(std::size_t count) {
  InputSchema schema;
  for (std::size_t i = 0; i < count; ++i) schema.columns.emplace_back().name = std::to_string(i);
  return schema;
}

// Of each component over the records; their means are zero.
std::vector<double> deviations(const Network& components, const Dataset& features) {
  const std::size_t width = components.output_width();
  std::vector<float> values(features.rows * width);
  Network::Workspace workspace;
  components.encode(features.values, features.rows, values, workspace);
  std::vector<double> squares(width, 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    squares[i % width] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  for (double& square : squares) square = std::sqrt(square / static_cast<double>(features.rows));
  return squares;
}

}  // namespace

Result<MechanismSpec> direction_mechanism(const Network& encoder, const Dataset& features, const InputSchema& input,
                                          const std::optional<LabelSchema>& label, const DirectionOptions& options,
                                          std::map<std::string, std::string> provenance) {
  constexpr double kLeastShare = 1e-4;  // of the largest deviation: less is rounding
  const auto fit =
      fit_pca(features, numbers(features.width), std::nullopt, {options.dimension, 1.0, options.resolution});
  if (!fit) return fit.error();
  const Network& components = fit->spec.encoder;
  const std::vector<double> sizes = deviations(components, features);
  const auto varying = static_cast<std::size_t>(
      std::ranges::count_if(sizes, [&](double size) { return size > kLeastShare * sizes[0]; }));
  if (varying < options.dimension)
    return refuse("dimension: the features vary in " + std::to_string(varying) + " directions only, got " +
                  std::to_string(options.dimension));
  DenseLayer layer = std::get<DenseLayer>(components.layers()[0]);
  for (std::size_t i = 0; i < layer.weights.size(); ++i)
    layer.weights[i] /= static_cast<float>(sizes[i / layer.inputs]);
  for (std::size_t o = 0; o < layer.outputs; ++o) layer.bias[o] /= static_cast<float>(sizes[o]);
  const auto scaled = Network::make(features.width, {std::move(layer)});
  if (!scaled) return scaled.error();
  auto network = Network::stack(encoder, *scaled);
  if (!network) return network.error();
  // Components have a deviation of 1 each, so that nearly every record lies beyond a ball of radius 1: its direction
  // is what is left of it.
  return MechanismSpec{input,
                       label,
                       std::move(*network),
                       L2LatticeSpec{1, options.resolution},
                       ChannelFamily::kHyperplaneResponse,
                       std::move(provenance)};
}

}  // namespace sotto
