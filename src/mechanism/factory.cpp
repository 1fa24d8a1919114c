#include "sotto/mechanism/factory.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sotto/channel/duchi.h"
#include "sotto/channel/exponential.h"
#include "sotto/channel/feature_laplace.h"
#include "sotto/channel/hadamard_response.h"
#include "sotto/channel/hybrid.h"
#include "sotto/channel/hyperplane_response.h"
#include "sotto/channel/lattice_gaussian.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/channel/piecewise.h"
#include "sotto/channel/privunit.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/channel/subset_selection.h"
#include "sotto/constraint/ball_lattice.h"
#include "sotto/constraint/codebook.h"
#include "sotto/constraint/direction_and_length.h"
#include "sotto/constraint/features.h"

namespace sotto {
namespace {

constexpr std::array<std::pair<ChannelFamily, std::string_view>, 12> kFamilyNames = {{
    {ChannelFamily::kLatticeLaplace, "lattice_laplace"},
    {ChannelFamily::kLatticeGaussian, "lattice_gaussian"},
    {ChannelFamily::kRandomizedResponse, "randomized_response"},
    {ChannelFamily::kSubsetSelection, "subset_selection"},
    {ChannelFamily::kHadamardResponse, "hadamard_response"},
    {ChannelFamily::kExponential, "exponential"},
    {ChannelFamily::kHyperplaneResponse, "hyperplane_response"},
    {ChannelFamily::kDuchi, "duchi"},
    {ChannelFamily::kFeatureLaplace, "feature_laplace"},
    {ChannelFamily::kPiecewise, "piecewise"},
    {ChannelFamily::kHybrid, "hybrid"},
    {ChannelFamily::kPrivUnit, "privunit"},
}};

std::vector<FeatureBounds> features_of(const InputSchema& input) {
  if (input.image) return std::vector<FeatureBounds>(input.width(), FeatureBounds{0, 1, 0});
  std::vector<FeatureBounds> features;
  for (const Column& column : input.columns)
    features.push_back(column.kind == Column::Kind::kNumeric
                           ? FeatureBounds{column.minimum, column.maximum, 0}
                           : FeatureBounds{0, 1, static_cast<std::int64_t>(column.categories.size())});
  return features;
}

struct ConstraintMaker {
  const MechanismSpec& spec;

  Result<std::unique_ptr<Constraint>> operator()(const L1LatticeSpec& lattice) const {
    return make_l1_lattice({spec.encoder.output_width(), lattice.resolution}, lattice.radius);
  }
  Result<std::unique_ptr<Constraint>> operator()(const L2LatticeSpec& lattice) const {
    return make_l2_lattice({spec.encoder.output_width(), lattice.resolution}, lattice.radius);
  }
  Result<std::unique_ptr<Constraint>> operator()(const FeatureBoxSpec& box) const {
    if (!spec.encoder.layers().empty()) return refuse("constraint feature_box: needs the identity encoder");
    return make_feature_box(features_of(spec.input), box.resolution);
  }
  Result<std::unique_ptr<Constraint>> operator()(const DirectionAndLengthSpec& sphere) const {
    return make_direction_and_length({spec.encoder.output_width(), sphere.resolution}, sphere.max_length);
  }
  Result<std::unique_ptr<Constraint>> operator()(const CodebookSpec& codebook) const {
    return make_codebook(codebook.centroids, spec.encoder.output_width(), codebook.distances, codebook.offsets);
  }
};

Error does_not_fit(ChannelFamily family, const char* needs) {
  return {ErrorCode::kInvalidArgument,
          "channel " + std::string(name_of(family)) + ": does not fit the constraint, it needs " + needs};
}

// The number of categories when the domain is a single unordered coordinate, else 0.
std::int64_t categories_of(const Domain& domain) {
  const auto* product = std::get_if<Product>(&domain);
  if (product == nullptr || product->coordinates.size() != 1 || product->coordinates[0].ordered) return 0;
  return product->coordinates[0].levels;
}

}  // namespace

std::string_view name_of(ChannelFamily family) {
  return std::find_if(kFamilyNames.begin(), kFamilyNames.end(), [=](auto& entry) { return entry.first == family; })
      ->second;
}

Result<ChannelFamily> channel_family_named(std::string_view name) {
  for (const auto& [family, its_name] : kFamilyNames)
    if (its_name == name) return family;
  return refuse("channel: unknown family");
}

std::string_view name_of(OutputMap map) { return map == OutputMap::kSigmoid ? "sigmoid" : "none"; }

Result<OutputMap> output_map_named(std::string_view name) {
  for (const OutputMap map : {OutputMap::kNone, OutputMap::kSigmoid})
    if (name_of(map) == name) return map;
  return refuse("decoder output: expected none or sigmoid");
}

Result<std::unique_ptr<Constraint>> make_constraint(const MechanismSpec& spec) {
  return std::visit(ConstraintMaker{spec}, spec.constraint);
}

Result<std::unique_ptr<Channel>> make_channel(ChannelFamily family, const Domain& domain, const Epsilon& epsilon,
                                              const Delta& delta) {
  if (delta.is_zero() == (family == ChannelFamily::kLatticeGaussian))
    return refuse("delta: channel " + std::string(name_of(family)) +
                  (delta.is_zero() ? " needs one above 0" : " takes none"));
  const auto* product = std::get_if<Product>(&domain);
  const std::int64_t categories = categories_of(domain);
  switch (family) {
    case ChannelFamily::kLatticeLaplace:
      if (const auto* ball = std::get_if<L1Ball>(&domain)) return make_lattice_laplace(*ball, epsilon);
      return does_not_fit(family, "an L1 lattice");
    case ChannelFamily::kLatticeGaussian:
      if (const auto* ball = std::get_if<L2Ball>(&domain)) return make_lattice_gaussian(*ball, epsilon, delta);
      return does_not_fit(family, "an L2 lattice");
    case ChannelFamily::kRandomizedResponse:
      if (categories > 0) return make_randomized_response(categories, epsilon);
      return does_not_fit(family, "one category");
    case ChannelFamily::kSubsetSelection:
      if (categories > 0) return make_subset_selection(categories, epsilon);
      return does_not_fit(family, "one category");
    case ChannelFamily::kHadamardResponse:
      if (categories > 0) return make_hadamard_response(categories, epsilon);
      return does_not_fit(family, "one category");
    case ChannelFamily::kExponential:
      if (categories > 0 && !product->distances.empty()) return make_exponential(*product, epsilon);
      return does_not_fit(family, "a codebook with distances between its codes");
    case ChannelFamily::kHyperplaneResponse:
      if (const auto* ball = std::get_if<L2Ball>(&domain)) return make_hyperplane_response(*ball, epsilon);
      return does_not_fit(family, "an L2 lattice");
    case ChannelFamily::kDuchi:
      if (product != nullptr) return make_duchi(*product, epsilon);
      return does_not_fit(family, "a box");
    case ChannelFamily::kFeatureLaplace:
      if (product != nullptr) return make_feature_laplace(*product, epsilon);
      return does_not_fit(family, "a box");
    case ChannelFamily::kPiecewise:
      if (product != nullptr) return make_piecewise(*product, epsilon);
      return does_not_fit(family, "a box");
    case ChannelFamily::kHybrid:
      if (product != nullptr) return make_hybrid(*product, epsilon);
      return does_not_fit(family, "a box");
    case ChannelFamily::kPrivUnit:
      if (const auto* sphere = std::get_if<DirectionAndLength>(&domain)) return make_privunit(*sphere, epsilon);
      return does_not_fit(family, "a direction and a length");
  }
  return does_not_fit(family, "a known family");
}

}  // namespace sotto
