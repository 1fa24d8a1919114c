#include "sotto/backprop/softmax.h"

#include <algorithm>
#include <cmath>

namespace sotto {

void soft_max_rows(std::span<float> rows, std::size_t width) {
  for (std::size_t begin = 0; begin < rows.size(); begin += width) {
    const auto row = rows.subspan(begin, width);
    const float largest = *std::max_element(row.begin(), row.end());
    float sum = 0;
    for (float& value : row) sum += value = std::exp(value - largest);
    for (float& value : row) value /= sum;
  }
}

}  // namespace sotto
