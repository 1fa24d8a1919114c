// The last activation ν of a representation-learning Laplace mechanism [Man21, Eq. 4]: what lies outside the L1 ball is
// pulled straight towards the origin until it lies on it. The device does the same in integers (constraint/).
#pragma once

#include <cstddef>
#include <span>

namespace sotto {

// `points` holds points of `width` coordinates one after another; each is replaced by its projection.
void project_to_l1_ball(float radius, std::size_t width, std::span<float> points);

// Turns d loss / d projection into d loss / d point, in place.
void chain_l1_projection(float radius, std::size_t width, std::span<const float> points, std::span<float> gradient);

// Of the points, averaged. A latent whose norm falls to nothing has collapsed: it tells the decoder nothing.
double mean_l1_norm(std::size_t width, std::span<const float> points);

}  // namespace sotto
