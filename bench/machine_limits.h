// What this machine gives two threads at most, measured here and now: a denominator for what is made of it.
#pragma once

namespace sotto::bench {

// Multiplications and additions of floats in one, with all operands in registers.
double multiply_adds_per_second();

// 1e9 floating-point operations a second of square products of 512: what the matrix library gives at its best.
double matrix_product_gflops();

}  // namespace sotto::bench
