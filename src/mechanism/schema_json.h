// Schemas as JSON, the way they stand in a mechanism file (docs/file-format.md) and in a schema file that a person
// writes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "sotto/mechanism/schema.h"

namespace sotto {

nlohmann::json to_json(const InputSchema& input);
nlohmann::json to_json(const LabelSchema& label);

// Throw Failure on anything that is not a valid schema.
InputSchema read_input_schema(const nlohmann::json& object);
LabelSchema read_label_schema(const nlohmann::json& object);

struct Schemas {
  InputSchema input;
  std::optional<LabelSchema> label;
};

// A document {"input": …, "label": …}, the label optional.
Result<Schemas> parse_schemas(std::string_view text);

}  // namespace sotto
