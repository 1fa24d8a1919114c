// Strict reading of JSON that somebody else may have written: each accessor checks the type and throws Failure
// (kCorruptFile) in words. For use inside readers that catch it at their border.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

Failure corrupt(const std::string& what);

// An object with exactly these keys, less those that are optional.
void expect_keys(const nlohmann::json& object, const std::string& where, std::initializer_list<const char*> required,
                 std::initializer_list<const char*> optional = {});

std::uint64_t integer_at(const nlohmann::json& object, const char* key);  // at most 2^40
double real_at(const nlohmann::json& object, const char* key);
std::string text_at(const nlohmann::json& object, const char* key);
std::vector<std::string> texts_at(const nlohmann::json& object, const char* key);

}  // namespace sotto
