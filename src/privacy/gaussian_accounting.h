// How much noise makes which (ε, δ), for Gaussian mechanisms. Sensitivity is the largest L2 distance between what two
// records can become: the *diameter* of a ball, not its radius. Proofs: docs/proofs/gaussian.md.
//
// Two accountings, not interchangeable: real-valued noise has an exact formula [BW18]; integer noise, which is what
// kernel/discrete_gaussian draws, must not use it and goes through concentrated differential privacy [CKS20].
//
// Guarantee: every result is on the safe side (δ, σ, σ² and ε are never too small), given a C library whose exp, log1p,
// sqrt and erfc err by less than 2^−49 relatively. Within 0.001 ≤ ε ≤ 100 and 1e−12 ≤ δ ≤ 0.1 a δ exceeds the exact
// value by less than a factor 1 + 1e−8, a σ or ε by less than 1 + 1e−9, and a σ² by less than 1 + 1e−8 and rounding up.
#pragma once

#include <cstdint>

#include "sotto/kernel/result.h"
#include "sotto/privacy/epsilon.h"

namespace sotto {

// Real-valued noise N(0, σ²) in any dimension. The smallest δ for which it is (ε, δ)-LDP is
// Φ(r/2 − ε/r) − e^ε·Φ(−r/2 − ε/r), with r = sensitivity/σ [BW18, Thm. 8].
double gaussian_delta(double epsilon, double sensitivity_over_sigma);
Result<double> gaussian_sigma(double sensitivity, const Epsilon& epsilon, const Delta& delta);
Result<double> gaussian_epsilon(double sensitivity, double sigma, const Delta& delta);

// The δ that ρ-zCDP implies at ε [CKS20, Cor. 13]. Answers 1, which is always true, to arguments without meaning.
double zcdp_delta(double rho, double epsilon);

// The smallest σ² for which zcdp_delta certifies (ε, δ)-LDP, between integer points of any dimension whose squared L2
// distance is at most `squared_sensitivity`, of noise drawn from DiscreteGaussian (kernel/) with this σ², independently
// for each coordinate. Some 6 to 9 % more σ than real noise needs. Error if σ² exceeds 2^50, the kernel's limit.
Result<std::uint64_t> discrete_gaussian_variance(std::uint64_t squared_sensitivity, const Epsilon& epsilon,
                                                 const Delta& delta);

}  // namespace sotto
