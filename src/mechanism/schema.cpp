#include "sotto/mechanism/schema.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace sotto {
namespace {

Status validate_image(const ImageShape& image) {
  std::size_t product = 1;
  for (const std::int32_t extent : {image.channels, image.height, image.width}) {
    if (extent >= 1) product *= static_cast<std::size_t>(extent);  // stays below 2^24 * 2^31
    if (extent < 1 || product > kMaxRecordWidth) {
      return refuse("image shape: received " + std::to_string(image.channels) + " x " + std::to_string(image.height) +
                    " x " + std::to_string(image.width) +
                    ", allowed are extents of at least 1 with a product of at most " + std::to_string(kMaxRecordWidth));
    }
  }
  return {};
}

Status validate_names(const std::vector<std::string>& names, const std::string& where) {
  if (names.size() < 2 || names.size() > kMaxRecordWidth) {
    return refuse(where + ": received " + std::to_string(names.size()) + " names, allowed are 2 to " +
                  std::to_string(kMaxRecordWidth));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    return refuse(std::string(where).append(": '").append(name).append("' is named twice, names must be distinct"));
  }
  return {};
}

Status validate_bounds(const Column& column, const std::string& where) {
  constexpr double kLargest = std::numeric_limits<float>::max();  // records are floats
  const bool representable = std::abs(column.minimum) <= kLargest && std::abs(column.maximum) <= kLargest;
  if (representable && column.minimum < column.maximum) return {};
  return refuse(where + ": received minimum " + std::to_string(column.minimum) + " and maximum " +
                std::to_string(column.maximum) + ", allowed are float values with minimum < maximum");
}

Status validate_column(const Column& column, const std::string& where) {
  if (column.kind == Column::Kind::kCategorical) return validate_names(column.categories, where + " categories");
  if (!column.categories.empty()) return refuse(where + ": a numeric column has no categories");
  return validate_bounds(column, where);
}

Status validate_columns(const std::vector<Column>& columns) {
  if (columns.size() > kMaxRecordWidth) {
    return refuse("columns: received " + std::to_string(columns.size()) + ", allowed are 1 to " +
                  std::to_string(kMaxRecordWidth));
  }
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string where = "column " + std::to_string(i + 1) + " ('" + columns[i].name + "')";
    if (columns[i].name.empty()) return refuse(where + ": the name is empty");
    if (!seen.insert(columns[i].name).second) return refuse(where + ": an earlier column has the same name");
    if (Status status = validate_column(columns[i], where); !status) return status;
  }
  return {};
}

}  // namespace

std::size_t InputSchema::width() const {
  if (!image) return columns.size();
  return static_cast<std::size_t>(image->channels) * static_cast<std::size_t>(image->height) *
         static_cast<std::size_t>(image->width);
}

Status InputSchema::validate() const {
  if (image && !columns.empty()) return refuse("input schema: received an image and columns, allowed is one of them");
  if (image) return validate_image(*image);
  if (columns.empty()) return refuse("input schema: received neither an image nor columns");
  return validate_columns(columns);
}

Status LabelSchema::validate() const {
  if (name.empty()) return refuse("label: the name is empty");
  return validate_names(classes, "label '" + name + "' classes");
}

}  // namespace sotto
