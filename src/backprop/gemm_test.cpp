#include "sotto/backprop/gemm.h"

#include <gtest/gtest.h>

#include <vector>

namespace sotto {
namespace {

constexpr std::size_t kRows = 3, kInner = 4, kColumns = 5;

float left(std::size_t i, std::size_t k) { return static_cast<float>(i * 7 + k) - 5; }
float right(std::size_t k, std::size_t j) { return static_cast<float>(k * 3) - static_cast<float>(j); }

std::vector<float> stored(std::size_t rows, std::size_t columns, float (*at)(std::size_t, std::size_t),
                          bool transposed) {
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) values[transposed ? j * rows + i : i * columns + j] = at(i, j);
  return values;
}

TEST(Gemm, EqualsTheTripleLoopForEveryCombinationOfTransposes) {
  for (const bool left_transposed : {false, true})
    for (const bool right_transposed : {false, true}) {
      const auto a = stored(kRows, kInner, left, left_transposed);
      const auto b = stored(kInner, kColumns, right, right_transposed);
      std::vector<float> product(kRows * kColumns, 2);
      multiply({a.data(), kRows, kInner, left_transposed}, {b.data(), kInner, kColumns, right_transposed}, 10,
               product.data());
      for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t j = 0; j < kColumns; ++j) {
          float expected = 20;
          for (std::size_t k = 0; k < kInner; ++k) expected += left(i, k) * right(k, j);
          EXPECT_FLOAT_EQ(product[i * kColumns + j], expected);
        }
    }
}

}  // namespace
}  // namespace sotto
