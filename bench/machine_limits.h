// What this machine gives two threads at most, measured here and now: a denominator for what is made of it.
#pragma once

#include <cstddef>

namespace sotto::bench {

// Multiplications and additions of floats in one, with all operands in registers.
double multiply_adds_per_second();

// Written and then read, by each thread as many bytes of its own, again and again.
double bytes_per_second(std::size_t bytes_of_each);

}  // namespace sotto::bench
