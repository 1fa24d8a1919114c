// What the tests of the denoising parts share: a Laplace channel on a lattice, points of its domain, reports about
// them.
#pragma once

#include <string_view>
#include <vector>

#include "sotto/backprop/random.h"
#include "sotto/channel/lattice_laplace.h"

namespace sotto {

struct Lattice {
  L1Ball ball;
  std::unique_ptr<Channel> channel;
};

inline Lattice make_lattice(std::size_t dimension, std::int64_t resolution, std::string_view epsilon) {
  const L1Ball ball{dimension, resolution};
  return {ball, make_lattice_laplace(ball, Epsilon::parse(epsilon).value_or_throw()).value_or_throw()};
}

// Somewhere in the ball, one after another.
inline std::vector<std::int64_t> draw_points(const L1Ball& ball, std::size_t count, SeededEntropy& entropy) {
  std::vector<std::int64_t> points;
  for (std::size_t m = 0; m < count; ++m) {
    std::int64_t left = ball.resolution;
    for (std::size_t i = 0; i < ball.dimension; ++i) {
      const auto span = static_cast<double>(2 * left);
      const std::int64_t value = static_cast<std::int64_t>(span * static_cast<double>(draw_uniform(entropy))) - left;
      points.push_back(value);
      left -= value < 0 ? -value : value;
    }
  }
  return points;
}

// One about each of the points.
inline std::vector<std::int64_t> draw_reports(const Channel& channel, std::span<const std::int64_t> points,
                                              SeededEntropy& entropy) {
  const std::size_t width = point_length(channel.domain()), length = channel.report_length();
  std::vector<std::int64_t> reports(points.size() / width * length);
  for (std::size_t n = 0; n < points.size() / width; ++n)
    channel.sample(points.subspan(n * width, width), entropy, std::span(reports).subspan(n * length, length));
  return reports;
}

}  // namespace sotto
