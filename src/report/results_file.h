// Results as JSON, one row a line so that a change of one number is a change of one line. `epsilon` is null for no
// privacy. What is written reads back equal; numbers that are not finite and text that is not UTF-8 are refused.
#pragma once

#include <filesystem>
#include <string_view>

#include "sotto/report/results.h"

namespace sotto {

Result<std::string> results_to_json(const Results& results);
Result<Results> results_from_json(std::string_view text);

// Files are replaced as a whole or not at all.
Status write_results(const std::filesystem::path& path, const Results& results);
Result<Results> read_results(const std::filesystem::path& path);

// For the other forms of the same document.
Status write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace sotto
