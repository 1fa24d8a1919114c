#include "sotto/train/table_coding.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {
namespace {

Status check_column(const Dataset& auxiliary, std::size_t index, const Column& column) {
  const bool numeric = column.kind == Column::Kind::kNumeric;
  for (std::size_t row = 0; row < auxiliary.rows; ++row) {
    const float value = auxiliary.values[row * auxiliary.width + index];
    if (!std::isfinite(value))
      return Error{ErrorCode::kInvalidInput, "auxiliary data: column " + column.name +
                                                 " holds missing or infinite values, which contrastive training "
                                                 "cannot use"};
    if (!numeric && !(value >= 0 && value < static_cast<float>(column.categories.size()) && value == std::floor(value)))
      return Error{ErrorCode::kInvalidInput, "auxiliary data: column " + column.name +
                                                 " holds values that are no index of one of its " +
                                                 std::to_string(column.categories.size()) + " categories"};
  }
  return {};
}

}  // namespace

// `values` begins with the column's first value; the next is `width` further on.
TableCoding::Part TableCoding::number(std::span<const float> values, std::size_t width, std::size_t place) {
  double sum = 0, squares = 0, count = 0;
  float least = values[0], greatest = values[0];
  for (std::size_t i = 0; i < values.size(); i += width, ++count) {
    sum += static_cast<double>(values[i]);
    least = std::min(least, values[i]);
    greatest = std::max(greatest, values[i]);
  }
  const double mean = sum / count;
  for (std::size_t i = 0; i < values.size(); i += width) squares += std::pow(static_cast<double>(values[i]) - mean, 2);
  if (least == greatest) return {place, 0, least, 0, least, 1};
  return {place,           0, static_cast<float>(mean), static_cast<float>(1 / std::sqrt(squares / count)), least,
          greatest - least};
}

Result<TableCoding> TableCoding::make(const Dataset& auxiliary, std::span<const Column> columns) {
  if (auxiliary.rows == 0) return refuse("auxiliary data: needs at least 1 record, got none");
  TableCoding coding;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (const Status status = check_column(auxiliary, i, columns[i]); !status) return status.error();
    const bool numeric = columns[i].kind == Column::Kind::kNumeric;
    if (numeric)
      coding.parts_.push_back(number(std::span(auxiliary.values).subspan(i), auxiliary.width, coding.width_));
    else
      coding.parts_.push_back({coding.width_, columns[i].categories.size(), 0, 1, 0, 1});
    coding.width_ += numeric ? 1 : columns[i].categories.size();
  }
  return coding;
}

// What the column adds to an output at a knot.
float TableCoding::Part::at_knot(std::size_t knot, std::span<const float> weights) const {
  if (categories > 0) return weights[place + knot];
  return weights[place] * (least + static_cast<float>(knot) * step - mean) * scale;
}

// For each knot of each column, how far a record lies beyond it, in steps.
DenseLayer TableCoding::bends() const {
  DenseLayer layer{parts_.size(), 0, {}, {}, Activation::kRelu};
  for (std::size_t column = 0; column < parts_.size(); ++column)
    for (std::size_t knot = 0; knot < parts_[column].knots(); ++knot, ++layer.outputs) {
      const Part& part = parts_[column];
      layer.weights.resize(layer.weights.size() + parts_.size(), 0.0F);
      layer.weights[layer.outputs * parts_.size() + column] = 1 / part.step;
      layer.bias.push_back(-part.least / part.step - static_cast<float>(knot));
    }
  return layer;
}

// What `first` does to coded columns is linear between knots and level beyond them: a sum of the changes of slope.
DenseLayer TableCoding::slopes(const DenseLayer& first) const {
  DenseLayer layer{0, first.outputs, {}, first.bias, first.activation};
  for (const Part& part : parts_) layer.inputs += part.knots();
  for (std::size_t output = 0; output < first.outputs; ++output) {
    const auto weights = std::span(first.weights).subspan(output * width_, width_);
    for (const Part& part : parts_) {
      float slope = 0;
      for (std::size_t knot = 0; knot < part.knots(); ++knot) {
        const bool last = knot + 1 == part.knots();
        const float next = last ? 0 : part.at_knot(knot + 1, weights) - part.at_knot(knot, weights);
        layer.weights.push_back(next - slope);
        slope = next;
      }
      layer.bias[output] += part.at_knot(0, weights);
    }
  }
  return layer;
}

Result<Network> TableCoding::on_records(const Network& on_coded) const {
  const auto* first = on_coded.layers().empty() ? nullptr : std::get_if<DenseLayer>(&on_coded.layers().front());
  if (first == nullptr || first->inputs != width_)
    return refuse("network: its first layer must be dense, of " + std::to_string(width_) + " inputs");
  std::vector<Layer> layers{bends(), slopes(*first)};
  layers.insert(layers.end(), on_coded.layers().begin() + 1, on_coded.layers().end());
  return Network::make(parts_.size(), std::move(layers));
}

}  // namespace sotto
