// The contrastive loss of a Laplace mechanism [Man21, Eq. 7, with the channel itself for a critic]: of all other views,
// a view's *noisy* latent should be most likely to have come from the latent of the second view of the same record. The
// likelihood is that of the noise which a release will add, so what is learnt is what survives it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sotto {

struct LaplaceContrastMemory {
  std::vector<float> noisy, scores;
};

// `latents` holds 2·pairs points of `width`; points i and pairs + i belong together. `noise` is Laplace noise of the
// given scale, one for each coordinate. Returns the mean loss over views and writes its gradient times `weight`.
double laplace_contrast(std::span<const float> latents, std::size_t width, std::span<const float> noise, float scale,
                        float weight, LaplaceContrastMemory& memory, std::span<float> gradient);

}  // namespace sotto
