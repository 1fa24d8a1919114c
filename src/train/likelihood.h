// log p(x | z) of a decoder's output, summed over the features of a record and over records, with its gradient.
#pragma once

#include <span>
#include <string_view>

#include "sotto/kernel/result.h"

namespace sotto {

enum class Likelihood {
  kBernoulli,      // x in [0, 1], read as a probability; the decoder gives its logit
  kGaussian,       // unit variance; the decoder gives the mean
  kLogitGaussian,  // logit(x) has unit variance around the decoder's output [Man20, App. D]
};

std::string_view name_of(Likelihood likelihood);
Result<Likelihood> likelihood_named(std::string_view name);

// Returns the sum of log p; writes its gradient with respect to `outputs`, times `weight`. A constant that depends on
// nothing learnt (the Gaussians' ½ log 2π, the logit's Jacobian) is left out.
double log_likelihood(Likelihood likelihood, std::span<const float> records, std::span<const float> outputs,
                      float weight, std::span<float> gradient);

}  // namespace sotto
