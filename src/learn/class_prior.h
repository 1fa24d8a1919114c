// How frequent the classes are, estimated from labels that went through randomised response.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/learn/denoising_pass.h"

namespace sotto {

struct ClassPrior {
  std::vector<double> frequency;       // non-negative, sums to 1
  std::vector<double> standard_error;  // of the unbiased estimate before it was brought onto the simplex
};

// Inverts the noise, then takes the nearest point of the simplex.
ClassPrior estimate_class_prior(std::span<const std::int32_t> noisy_labels, const LabelNoise& noise);

// The nearest point (in Euclidean distance) that is non-negative and sums to 1.
void project_to_simplex(std::vector<double>& values);

}  // namespace sotto
