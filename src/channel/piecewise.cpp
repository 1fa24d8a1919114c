// inexact: see the header.
#include "sotto/channel/piecewise.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sotto/channel/real_uniform.h"

namespace sotto {
namespace {

constexpr double kPiecewiseCells = static_cast<double>(kCellsPerUnit);

// The length of [low, high] ∩ [begin, begin + width]. A cell inside the piece counts in full, without rounding; a piece
// narrower than the spacing of doubles around `begin` still has its whole width somewhere.
double overlap(double low, double high, double begin, double width) {
  if (begin <= low && high <= begin + width) return high - low;
  return std::clamp(high - begin, 0.0, width) - std::clamp(low - begin, 0.0, width);
}

}  // namespace

Piecewise::Piecewise(double epsilon)
    : near_mass_(1 / (1 + std::exp(-epsilon / 2))),
      far_mass_(1 / (1 + std::exp(epsilon / 2))),
      reach_(kPiecewiseCells / std::tanh(epsilon / 4)),
      piece_width_(2 * kPiecewiseCells / std::expm1(epsilon / 2)) {}

std::int64_t Piecewise::bound() const { return std::llround(reach_); }

double Piecewise::piece_begin(double t) const { return ((reach_ + kPiecewiseCells) * t - piece_width_) / 2; }

std::int64_t Piecewise::draw(double t, Entropy& entropy) const {
  const bool near = uniform_real(entropy) <= near_mass_;
  const double begin = piece_begin(t);
  double y = begin + piece_width_ * uniform_real(entropy);
  if (!near) {
    y = (reach_ + kPiecewiseCells) * uniform_real(entropy) - reach_;
    if (y > begin) y += piece_width_;
  }
  return std::clamp<std::int64_t>(std::llround(y), -bound(), bound());
}

double Piecewise::pmf(std::int64_t value, double t) const {
  const double low = static_cast<double>(value) - 0.5;
  const double high = static_cast<double>(value) + 0.5;
  const double near = overlap(low, high, piece_begin(t), piece_width_);
  const double far = std::max(0.0, std::min(high, reach_) - std::max(low, -reach_) - near);
  return near_mass_ * near / piece_width_ + far_mass_ * far / (reach_ + kPiecewiseCells);
}

Result<std::unique_ptr<Channel>> make_piecewise(Product box, const Epsilon& epsilon) {
  return make_attribute_sampling(std::move(box), epsilon,
                                 [](double share) { return std::make_unique<Piecewise>(share); });
}

}  // namespace sotto
