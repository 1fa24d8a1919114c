#include "sotto/train/agreement_loss.h"

#include <algorithm>
#include <cmath>

#include "sotto/backprop/gemm.h"
#include "sotto/backprop/softmax.h"

namespace sotto {
namespace {

// Replaces the joint distribution by the slope of the mutual information with respect to it, which it returns.
double differentiate_information(std::size_t codes, std::span<float> joint) {
  std::vector<float> marginal(codes, 0);
  for (std::size_t a = 0; a < codes; ++a)
    for (std::size_t b = 0; b < codes; ++b) marginal[a] += joint[a * codes + b];
  constexpr float kLeast = 1e-9F;
  double information = 0;
  for (std::size_t a = 0; a < codes; ++a)
    for (std::size_t b = 0; b < codes; ++b) {
      float& share = joint[a * codes + b];
      const float ratio = std::log(std::max(share, kLeast)) - std::log(std::max(marginal[a], kLeast)) -
                          std::log(std::max(marginal[b], kLeast));
      information += static_cast<double>(share * ratio);
      share = ratio;  // up to a constant, which soft maxima do not feel
    }
  return information;
}

}  // namespace

double agreement_loss(std::span<const float> logits, std::size_t codes, float weight, AgreementMemory& memory,
                      std::span<float> gradient) {
  const std::size_t pairs = logits.size() / codes / 2, half = pairs * codes;
  memory.shares.assign(logits.begin(), logits.end());
  soft_max_rows(memory.shares, codes);
  const MatrixView first{memory.shares.data(), pairs, codes}, second{memory.shares.data() + half, pairs, codes};
  // The joint distribution of the two codes, whichever view is called the first.
  memory.slope.assign(codes * codes, 0);
  multiply(first.transpose(), second, 0, memory.slope.data());
  memory.joint.resize(codes * codes);
  for (std::size_t a = 0; a < codes; ++a)
    for (std::size_t b = 0; b < codes; ++b)
      memory.joint[a * codes + b] =
          (memory.slope[a * codes + b] + memory.slope[b * codes + a]) / (2 * static_cast<float>(pairs));
  const double information = differentiate_information(codes, memory.joint);
  const MatrixView slope{memory.joint.data(), codes, codes};
  multiply(second, slope, 0, gradient.data());
  multiply(first, slope, 0, gradient.data() + half);
  const float scale = -weight / static_cast<float>(pairs);
  for (std::size_t row = 0; row < 2 * pairs; ++row) {
    const auto shares = std::span(memory.shares).subspan(row * codes, codes);
    const auto slopes = gradient.subspan(row * codes, codes);
    float mean = 0;
    for (std::size_t c = 0; c < codes; ++c) mean += shares[c] * slopes[c];
    for (std::size_t c = 0; c < codes; ++c) slopes[c] = scale * shares[c] * (slopes[c] - mean);
  }
  return -information;
}

}  // namespace sotto
