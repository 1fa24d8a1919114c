// Runs another program and waits for it. No shell: the arguments reach the program as they are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

// `arguments[0]` is looked up in PATH; the program starts in `directory` with no input. Succeeds when it exits with 0;
// otherwise the error says how it ended, with the beginning of what it printed.
Status run_program(const std::vector<std::string>& arguments, const std::filesystem::path& directory);

}  // namespace sotto
