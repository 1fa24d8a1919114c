// What is measured: sotto's samplers, and the ones somebody would write instead, behind one call.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sotto::bench {

struct Sampler {
  std::string name;
  std::string rival;                            // the sampler to be compared with; empty if there is none
  std::function<void(std::span<double>)> draw;  // many at a time, so that the call itself costs nothing
  std::function<std::uint64_t()> bytes_taken;   // from the operating system, so far
  double mean, variance;                        // what the values must have
};

// The first is `entropy`, eight bytes a draw: no sampler can be faster than its bytes arrive. The second is the
// discrete Laplace sampler, by which the others are measured.
std::vector<Sampler> make_samplers();

}  // namespace sotto::bench
