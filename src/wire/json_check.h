// JSON that every reader understands alike, checked before anything is read from it. Readers differ over an object that
// names a key twice, and a million brackets exhaust the stack of whoever copies the result.
#pragma once

#include <string_view>

#include "sotto/kernel/result.h"

namespace sotto {

// Fails on malformed JSON, on a key named twice in one object, and on brackets nested more than 16 deep. The error
// (kInvalidInput) never quotes the text.
Status check_json(std::string_view text);

}  // namespace sotto
