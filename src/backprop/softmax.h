// Logits to probabilities, row by row.
#pragma once

#include <cstddef>
#include <span>

namespace sotto {

void soft_max_rows(std::span<float> rows, std::size_t width);

}  // namespace sotto
