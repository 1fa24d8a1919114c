// The IDX format of the MNIST files: big-endian header, 1 to 4 extents, one unsigned byte an element; other element
// types are refused. The format does not say whether its bytes are pixels or class indices: the caller does.
#pragma once

#include "sotto/data/array_source.h"

namespace sotto {

// True when the bytes can begin an IDX file of any element type.
bool has_idx_magic(std::span<const std::byte> bytes);

Result<std::unique_ptr<ArraySource>> open_idx(ByteStream stream, ValueScale scale);

}  // namespace sotto
