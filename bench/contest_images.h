// The images that trainers compete on: MNIST's, or drawn ones where it is not at hand.
#pragma once

#include <string>

#include "contest.h"
#include "sotto/data/dataset.h"

namespace sotto::bench {

inline constexpr std::size_t kSide = 28, kPixels = kSide * kSide;

Dataset contest_images(const ContestOptions& options, std::size_t rows);
std::string name_of_images(const ContestOptions& options, std::size_t rows);

}  // namespace sotto::bench
