#include "sotto/mechanism/schema_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sotto/mechanism/json_fields.h"
#include "sotto/wire/json_check.h"

namespace sotto {

using nlohmann::json;

namespace {

Column read_column(const json& object) {
  expect_keys(object, "column", {"name", "type"}, {"minimum", "maximum", "categories"});
  Column column;
  column.name = text_at(object, "name");
  const std::string type = text_at(object, "type");
  if (type == "numeric") {
    expect_keys(object, "numeric column", {"name", "type", "minimum", "maximum"});
    column.minimum = real_at(object, "minimum");
    column.maximum = real_at(object, "maximum");
  } else if (type == "categorical") {
    expect_keys(object, "categorical column", {"name", "type", "categories"});
    column.kind = Column::Kind::kCategorical;
    column.categories = texts_at(object, "categories");
  } else {
    throw corrupt("a column is neither numeric nor categorical");
  }
  return column;
}

}  // namespace

json to_json(const InputSchema& input) {
  if (input.image)
    return {{"image",
             {{"channels", input.image->channels}, {"height", input.image->height}, {"width", input.image->width}}}};
  json columns = json::array();
  for (const Column& column : input.columns) {
    if (column.kind == Column::Kind::kNumeric)
      columns.push_back(
          {{"name", column.name}, {"type", "numeric"}, {"minimum", column.minimum}, {"maximum", column.maximum}});
    else
      columns.push_back({{"name", column.name}, {"type", "categorical"}, {"categories", column.categories}});
  }
  return {{"columns", columns}};
}

InputSchema read_input_schema(const json& object) {
  expect_keys(object, "input", {}, {"image", "columns"});
  InputSchema input;
  if (object.contains("image")) {
    const json& image = object.at("image");
    expect_keys(image, "image", {"channels", "height", "width"});
    const auto extent = [&](const char* key) {
      return static_cast<std::int32_t>(std::min<std::uint64_t>(integer_at(image, key), INT32_MAX));
    };
    input.image = ImageShape{extent("channels"), extent("height"), extent("width")};
  }
  if (object.contains("columns")) {
    if (!object.at("columns").is_array()) throw corrupt("columns is not a list");
    for (const json& column : object.at("columns")) input.columns.push_back(read_column(column));
  }
  input.validate().or_throw();
  return input;
}

LabelSchema read_label_schema(const json& object) {
  expect_keys(object, "label", {"name", "classes"});
  LabelSchema label{text_at(object, "name"), texts_at(object, "classes")};
  label.validate().or_throw();
  return label;
}

json to_json(const LabelSchema& label) { return {{"name", label.name}, {"classes", label.classes}}; }

Result<Schemas> parse_schemas(std::string_view text) {
  if (const Status status = check_json(text); !status) return status.error();
  try {
    const json document = json::parse(text);
    expect_keys(document, "schema", {"input"}, {"label"});
    Schemas schemas{read_input_schema(document.at("input")), std::nullopt};
    if (document.contains("label")) schemas.label = read_label_schema(document.at("label"));
    return schemas;
  } catch (const Failure& failure) {
    return Error{ErrorCode::kInvalidInput, failure.error().message};
  }
}

}  // namespace sotto
