// One epoch of stochastic optimisation: minibatches in a given order, each shared out to two lanes that compute the
// gradients of their halves and then update half of the parameters each.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sotto/backprop/adam.h"
#include "sotto/backprop/lanes.h"

namespace sotto {

// Parameters that are learnt together, with the gradient that each lane leaves for them.
struct ParameterGroup {
  Adam* adam;
  std::span<float> parameters;
  std::array<std::vector<float>*, kLanes> gradients;  // sized here
};

// Computes the gradient of `rows` on lane `lane`, every record counting `weight`. With no rows it must leave zeros.
using Differentiate = std::function<void(std::size_t lane, std::span<const std::uint32_t> rows, float weight)>;

// `weight` is one over the size of the minibatch: losses are means.
void minibatch_epoch(std::span<const std::uint32_t> order, std::size_t batch, std::span<const ParameterGroup> groups,
                     const Differentiate& differentiate);

// The named rows of a row-major matrix, one after another.
void gather_rows(std::span<const float> matrix, std::size_t width, std::span<const std::uint32_t> rows,
                 std::vector<float>& gathered);

}  // namespace sotto
