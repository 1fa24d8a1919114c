#include "samplers.h"

#include <array>
#include <cmath>
#include <memory>
#include <random>

#include "sotto/channel/duchi.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/channel/subset_selection.h"
#include "sotto/kernel/discrete_gaussian.h"
#include "sotto/kernel/discrete_laplace.h"
#include "sotto/kernel/uniform.h"
#include "sotto/privacy/gaussian_accounting.h"

namespace sotto::bench {
namespace {

constexpr std::int64_t kResolution = 1 << 16;

// The operating system's bytes, counted as they are fetched.
class CountedEntropy final : public Entropy {
 public:
  std::uint64_t bytes = 0;

 private:
  void fill(std::span<std::uint8_t> buffer) override {
    Entropy::fill(buffer);
    bytes += buffer.size();
  }
};

Epsilon epsilon_of(std::string_view text) { return Epsilon::parse(text).value_or_throw(); }

template <typename DrawOne>
Sampler sampler(std::string name, std::string rival, double mean, double variance, DrawOne draw_one) {
  auto entropy = std::make_shared<CountedEntropy>();
  return {std::move(name),
          std::move(rival),
          [entropy, draw_one](std::span<double> values) mutable {
            for (double& value : values) value = draw_one(*entropy);
          },
          [entropy] { return entropy->bytes; },
          mean,
          variance};
}

// ---- sotto

// On the lattice of resolution 2^16: rate ε / 2^17.
Sampler discrete_laplace(const char* epsilon) {
  const auto rate = epsilon_of(epsilon).divided_by(2 * kResolution).value_or_throw().value();
  const auto noise = DiscreteLaplace::make(rate.numerator(), rate.denominator()).value_or_throw();
  const double scale = 1 / rate.to_double();
  return sampler(std::string("discrete_laplace/epsilon:") + epsilon, std::string("float_laplace/epsilon:") + epsilon, 0,
                 2 * scale * scale, [=](Entropy& entropy) { return static_cast<double>(noise.sample(entropy)); });
}

Sampler discrete_gaussian(const char* epsilon, const char* delta) {
  const std::uint64_t diameter = 2 * kResolution;
  const auto variance =
      discrete_gaussian_variance(diameter * diameter, epsilon_of(epsilon), Delta::parse(delta).value_or_throw())
          .value_or_throw();
  const auto noise = DiscreteGaussian::make(variance, 1).value_or_throw();
  return sampler(std::string("discrete_gaussian/epsilon:") + epsilon, "", 0, static_cast<double>(variance),
                 [=](Entropy& entropy) { return static_cast<double>(noise.sample(entropy)); });
}

// k-ary randomised response about category 3, by formula. The value is the category reported.
struct ResponseLaw {
  std::int64_t categories;
  double truth, mean = 0, variance = 0;
  std::string options;

  ResponseLaw(std::int64_t k, const char* epsilon)
      : categories(k), options("/k:" + std::to_string(k) + "/epsilon:" + epsilon) {
    const double e = std::exp(epsilon_of(epsilon).to_double());
    const auto chance = [&](std::int64_t j) { return (j == 3 ? e : 1) / (e + static_cast<double>(k - 1)); };
    truth = chance(3);
    for (std::int64_t j = 0; j < k; ++j) mean += chance(j) * static_cast<double>(j);
    for (std::int64_t j = 0; j < k; ++j) variance += chance(j) * std::pow(static_cast<double>(j) - mean, 2);
  }
};

Sampler randomized_response(const ResponseLaw& law, const char* epsilon) {
  const auto response = RandomizedResponse::make(law.categories, epsilon_of(epsilon)).value_or_throw();
  return sampler("randomized_response" + law.options, "float_response" + law.options, law.mean, law.variance,
                 [=](Entropy& entropy) { return static_cast<double>(response.sample(3, entropy)); });
}

// A whole report of a channel; the value is `look(report)`.
template <typename Look>
Sampler channel_sampler(std::string name, Result<std::unique_ptr<Channel>> made, std::vector<std::int64_t> point,
                        double mean, double variance, Look look) {
  const std::shared_ptr<const Channel> channel = std::move(made).value_or_throw();
  return sampler(std::move(name), "", mean, variance,
                 [=, report = std::vector<std::int64_t>(channel->report_length())](Entropy& entropy) mutable {
                   channel->sample(point, entropy, report);
                   return look(report);
                 });
}

Sampler subset_selection() {
  const double k = 100;
  const auto size = static_cast<double>(optimal_subset_size(100, epsilon_of("1")));
  const double own = size * std::exp(1.0) / (size * std::exp(1.0) + k - size);
  return channel_sampler("subset_selection/k:100/epsilon:1", make_subset_selection(100, epsilon_of("1")), {0}, own,
                         own * (1 - own), [](const auto& report) { return report[0] == 0 ? 1.0 : 0.0; });
}

Sampler lattice_laplace_report() {
  const double scale = 2 * kResolution;
  return channel_sampler("lattice_laplace/d:8/epsilon:1", make_lattice_laplace({8, kResolution}, epsilon_of("1")),
                         {100, -200, 300, 0, 0, 0, 0, 0}, 100, 2 * scale * scale,
                         [](const auto& report) { return static_cast<double>(report[0]); });
}

// In the middle of every coordinate: each bit is fair.
Sampler duchi() {
  const Product box{std::vector<Coordinate>(784, {257, true})};
  return channel_sampler("duchi/d:784/epsilon:1", make_duchi(box, epsilon_of("1")), std::vector<std::int64_t>(784, 128),
                         0.5, 0.25, [](const auto& report) { return static_cast<double>(report[0]); });
}

// ---- rivals: floating point, as most libraries do it. Fast, and broken: see docs/threat-model.md.

double float_laplace(std::uint64_t word, double scale) {
  const double u = static_cast<double>(word >> 11) * 0x1p-53 - 0.5;
  return u < 0 ? scale * std::log1p(2 * u) : -scale * std::log1p(-2 * u);
}

Sampler float_laplace_on_entropy(const char* epsilon) {
  const double scale = 2 * kResolution / epsilon_of(epsilon).to_double();
  return sampler(std::string("float_laplace/epsilon:") + epsilon, "", 0, 2 * scale * scale,
                 [=](Entropy& entropy) { return float_laplace(entropy.take<std::uint64_t>(), scale); });
}

Sampler float_laplace_on_twister() {
  const double scale = 2 * kResolution;
  return sampler("float_laplace_mt19937", "", 0, 2 * scale * scale,
                 [=, engine = std::mt19937_64(1)](Entropy&) mutable { return float_laplace(engine(), scale); });
}

Sampler float_response(const ResponseLaw& law) {
  return sampler("float_response" + law.options, "", law.mean, law.variance,
                 [truth = law.truth, others = static_cast<std::uint64_t>(law.categories - 1)](Entropy& entropy) {
                   if (static_cast<double>(entropy.take<std::uint64_t>() >> 11) * 0x1p-53 < truth) return 3.0;
                   const std::uint64_t other = entropy.take<std::uint64_t>() % others;
                   return static_cast<double>(other < 3 ? other : other + 1);
                 });
}

Sampler raw_entropy() {
  return sampler("entropy", "", 0.5, 1.0 / 12,
                 [](Entropy& entropy) { return static_cast<double>(entropy.take<std::uint64_t>() >> 11) * 0x1p-53; });
}

}  // namespace

std::vector<Sampler> make_samplers() {
  return {raw_entropy(),
          discrete_laplace("1"),
          discrete_laplace("1.4"),
          discrete_gaussian("1", "1e-6"),
          randomized_response({10, "1"}, "1"),
          randomized_response({10, "10"}, "10"),
          subset_selection(),
          lattice_laplace_report(),
          duchi(),
          float_laplace_on_entropy("1"),
          float_laplace_on_entropy("1.4"),
          float_laplace_on_twister(),
          float_response({10, "1"}),
          float_response({10, "10"})};
}

}  // namespace sotto::bench
