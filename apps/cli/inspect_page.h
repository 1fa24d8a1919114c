// A mechanism as a page to look at: what it does, what a release would claim and, where there are codes, what each of
// them stands for. The file may come from anybody: all text is escaped, and what is drawn has a bound.
#pragma once

#include <string>

#include "sotto/mechanism/describe.h"

namespace sotto::cli {

// `promise` is empty when no epsilon was given. Self-contained HTML.
Result<std::string> inspect_page(const std::string& name, const Mechanism& mechanism, const Description& what,
                                 const Description& promise, const std::string& epsilon);

}  // namespace sotto::cli
