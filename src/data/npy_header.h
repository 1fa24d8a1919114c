// The header dictionary of an NPY file: a Python literal such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 784), }
// Exactly these three keys, each once, in any order. Nothing else that Python would accept is accepted.
#pragma once

#include <string_view>

#include "sotto/data/array_source.h"

namespace sotto {

struct NpyHeader {
  ElementType element;
  std::vector<std::uint64_t> shape;
};

// kInvalidInput for a malformed text, kUnsupported for element types and orders that sotto does not read.
Result<NpyHeader> parse_npy_header(std::string_view text);

}  // namespace sotto
