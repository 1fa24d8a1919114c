// Descriptions as text for people. Names and provenance come from whoever wrote the mechanism file, and could forge
// lines or steer a terminal: control characters become spaces.
#pragma once

#include <string>

#include "sotto/mechanism/describe.h"

namespace sotto::client {

// One line each: two spaces, the name padded to the longest, two spaces, what there is to say.
std::string to_text(const Description& description);

}  // namespace sotto::client
