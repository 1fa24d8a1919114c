// Learns a linear classifier from what reports say on average: an unbiased mean of each class, and the covariance of
// public records (Fisher's discriminant). It never asks what a single report means, so that noise costs only what it
// adds to means; and public records need not show the classes, only how records scatter. Works for every channel, and
// for labels released on their own or known.
#pragma once

#include <cstdint>
#include <span>

#include "sotto/backprop/trainable_network.h"
#include "sotto/learn/denoising_pass.h"

namespace sotto {

// `reports` and `public_records` are representations, rows of `width`; a report's is the unbiased estimate of where it
// came from (representation.h). A class that no report is of gets the mean of all.
TrainableNetwork learn_discriminant(std::span<const float> reports, std::span<const std::int32_t> noisy_labels,
                                    const LabelNoise& noise, std::span<const float> public_records, std::size_t width);

}  // namespace sotto
