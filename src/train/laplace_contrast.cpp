#include "sotto/train/laplace_contrast.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto {
namespace {

// Turns scores into probabilities; returns the log of their sum.
float soft_max(std::span<float> scores) {
  const float largest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - largest);
  for (float& score : scores) score /= sum;
  return largest + std::log(sum);
}

}  // namespace

double laplace_contrast(std::span<const float> latents, std::size_t width, std::span<const float> noise, float scale,
                        float weight, LaplaceContrastMemory& memory, std::span<float> gradient) {
  const std::size_t count = latents.size() / width, pairs = count / 2;
  memory.noisy.assign(latents.begin(), latents.end());
  for (std::size_t i = 0; i < noise.size(); ++i) memory.noisy[i] += noise[i];
  memory.scores.resize(count);
  std::fill(gradient.begin(), gradient.end(), 0.0F);
  const float step = weight / (scale * static_cast<float>(count));
  double loss = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float* noisy = memory.noisy.data() + i * width;
    const std::size_t partner = (i + pairs) % count;
    for (std::size_t j = 0; j < count; ++j) {
      float distance = 0;
      for (std::size_t d = 0; d < width; ++d) distance += std::abs(noisy[d] - latents[j * width + d]);
      memory.scores[j] = j == i ? -std::numeric_limits<float>::infinity() : -distance / scale;
    }
    const float partner_score = memory.scores[partner];
    loss += static_cast<double>(soft_max(memory.scores) - partner_score);
    for (std::size_t j = 0; j < count; ++j) {
      const float pull = step * (memory.scores[j] - (j == partner ? 1.0F : 0.0F));
      for (std::size_t d = 0; d < width; ++d) {
        const float slope = noisy[d] > latents[j * width + d] ? pull : -pull;
        gradient[i * width + d] -= slope;
        gradient[j * width + d] += slope;
      }
    }
  }
  return loss / static_cast<double>(count);
}

}  // namespace sotto
