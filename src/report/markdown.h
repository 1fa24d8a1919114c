// Results as a Markdown document: what was run, when and from which commit; the tables; the notes.
#pragma once

#include "sotto/report/results.h"

namespace sotto {

std::string to_markdown(const Results& results);

// "41 s", "12 min 5 s", "3 h 20 min".
std::string duration_text(double seconds);

}  // namespace sotto
