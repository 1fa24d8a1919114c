// What must hold whatever the bytes are; libFuzzer reports the input when it does not.
#pragma once

#include <cstdlib>

namespace sotto::fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace sotto::fuzz
