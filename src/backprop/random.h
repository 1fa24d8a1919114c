// Draws for initial weights and for noise during training: reproducible, in floating point, and never a report's noise.
#pragma once

#include "sotto/kernel/seeded_entropy.h"

namespace sotto {

// In (0, 1), never an end: its logarithm is finite.
float draw_uniform(SeededEntropy& entropy);
float draw_standard_laplace(SeededEntropy& entropy);  // density e^-|x| / 2
float draw_standard_normal(SeededEntropy& entropy);

}  // namespace sotto
