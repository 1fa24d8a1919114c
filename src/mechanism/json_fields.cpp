#include "sotto/mechanism/json_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sotto {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxInteger = std::uint64_t{1} << 40;

}  // namespace

Failure corrupt(const std::string& what) { return Failure({ErrorCode::kCorruptFile, what}); }

void expect_keys(const json& object, const std::string& where, std::initializer_list<const char*> required,
                 std::initializer_list<const char*> optional) {
  if (!object.is_object()) throw corrupt(where + " is not an object");
  for (const char* key : required)
    if (!object.contains(key)) throw corrupt(where + " lacks \"" + key + "\"");
  for (const auto& [key, value] : object.items()) {
    const auto same = [&key = key](const char* known) { return key == known; };
    if (std::none_of(required.begin(), required.end(), same) && std::none_of(optional.begin(), optional.end(), same))
      throw corrupt(where + " has a key this version does not know: a newer sotto may");
  }
}

std::uint64_t integer_at(const json& object, const char* key) {
  const json& value = object.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMaxInteger)
    throw corrupt(std::string(key) + " is not a whole number in range");
  return value.get<std::uint64_t>();
}

double real_at(const json& object, const char* key) {
  if (!object.at(key).is_number()) throw corrupt(std::string(key) + " is not a number");
  return object.at(key).get<double>();
}

std::string text_at(const json& object, const char* key) {
  if (!object.at(key).is_string()) throw corrupt(std::string(key) + " is not text");
  return object.at(key).get<std::string>();
}

std::vector<std::string> texts_at(const json& object, const char* key) {
  if (!object.at(key).is_array()) throw corrupt(std::string(key) + " is not a list");
  std::vector<std::string> texts;
  for (const json& item : object.at(key)) {
    if (!item.is_string()) throw corrupt(std::string(key) + " holds something other than text");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

}  // namespace sotto
