#include "sotto/channel/lattice_laplace.h"

#include "sotto/channel/clamped_laplace.h"

namespace sotto {
namespace {

class LatticeLaplace final : public Channel {
 public:
  LatticeLaplace(L1Ball ball, const Epsilon& epsilon, ClampedLaplace noise)
      : Channel(ball, {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/lattice-laplace.md"},
                std::vector<Range>(ball.dimension, noise.report_range())),
        noise_(noise) {}

 private:
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    for (std::size_t i = 0; i < point.size(); ++i) report[i] = noise_.sample(point[i], entropy);
  }

  double log_pmf(Report report, Point point) const override {
    double sum = 0;
    for (std::size_t i = 0; i < point.size(); ++i) sum += noise_.log_pmf(report[i], point[i]);
    return sum;
  }

  void unbias(Report report, std::span<double> point) const override {
    for (std::size_t i = 0; i < point.size(); ++i) point[i] = static_cast<double>(report[i]);
  }

  ClampedLaplace noise_;
};

}  // namespace

Result<std::unique_ptr<Channel>> make_lattice_laplace(L1Ball ball, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(ball)); !status) return status.error();
  const std::int64_t diameter = 2 * ball.resolution;
  const auto noise = ClampedLaplace::make(epsilon, diameter, {-ball.resolution, ball.resolution});
  if (!noise) return noise.error();
  return std::unique_ptr<Channel>(std::make_unique<LatticeLaplace>(ball, epsilon, *noise));
}

}  // namespace sotto
