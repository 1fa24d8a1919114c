#include "sotto/constraint/label_join.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sotto {
namespace {

std::vector<std::uint8_t> joint_distances(const std::vector<std::uint8_t>& distances, std::size_t codes,
                                          std::size_t classes) {
  if (distances.empty()) return {};
  const std::size_t symbols = codes * classes;
  std::vector<std::uint8_t> joint(symbols * symbols, *std::max_element(distances.begin(), distances.end()));
  for (std::size_t from = 0; from < codes; ++from)
    for (std::size_t to = 0; to < codes; ++to)
      for (std::size_t label = 0; label < classes; ++label)
        joint[(from * classes + label) * symbols + to * classes + label] = distances[from * codes + to];
  return joint;
}

}  // namespace

Result<LabelJoin> LabelJoin::make(const Domain& features, std::int64_t classes) {
  if (classes < 2) return refuse("label: needs at least 2 classes, got " + std::to_string(classes));
  Domain joint;
  if (const auto* ball = std::get_if<L1Ball>(&features)) {
    if (static_cast<std::uint64_t>(classes) > kMaxDimension / ball->dimension)
      return refuse("label: too many classes for one joint point");
    joint = L1Ball{ball->dimension * static_cast<std::size_t>(classes), ball->resolution};
  } else if (const auto* product = std::get_if<Product>(&features);
             product != nullptr && product->coordinates.size() == 1 && !product->coordinates[0].ordered) {
    const std::int64_t codes = product->coordinates[0].levels;
    if (classes > (product->distances.empty() ? INT64_MAX : kMaxCategoriesWithDistances) / codes)
      return refuse("label: too many classes for one joint symbol");
    joint = Product{
        {{codes * classes, false}},
        joint_distances(product->distances, static_cast<std::size_t>(codes), static_cast<std::size_t>(classes))};
  } else {
    return Error{
        ErrorCode::kUnsupported,
        "label: only points of an L1 lattice and codes can be joined with one; give the label its own share of "
        "epsilon with lambda"};
  }
  if (const Status status = validate(joint); !status) return status.error();
  return LabelJoin(std::move(joint), classes);
}

void LabelJoin::join(Point point, std::int64_t label, std::span<std::int64_t> joint) const {
  const bool ball = std::holds_alternative<L1Ball>(domain_);
  const std::size_t expected = ball ? point.size() * static_cast<std::size_t>(classes_) : 1;
  if (label < 0 || label >= classes_ || joint.size() != point_length(domain_) || joint.size() != expected ||
      point.empty())
    throw Failure({ErrorCode::kInvalidArgument, "label join: the label is none of the classes, or a size is wrong"});
  if (!ball) {
    joint[0] = point[0] * classes_ + label;
    return;
  }
  std::fill(joint.begin(), joint.end(), 0);
  std::copy(point.begin(), point.end(), joint.begin() + static_cast<std::ptrdiff_t>(point.size()) * label);
}

}  // namespace sotto
