// What this machine gives two threads at most, measured here and now: a denominator for what is made of it.
#pragma once

namespace sotto::bench {

// Multiplications and additions of floats in one, with all operands in registers.
double multiply_adds_per_second();

}  // namespace sotto::bench
