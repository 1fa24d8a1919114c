// Deliberately wrong mechanisms, each with a mistake that somebody has shipped or could ship. An audit that lets one of
// them pass is worth nothing. Laws for the exact audit, samplers for the attacks, constraints for the domain check.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sotto/audit/exact_law.h"
#include "sotto/audit/goodness_of_fit.h"
#include "sotto/channel/exponential.h"
#include "sotto/channel/hadamard_response.h"
#include "sotto/channel/hyperplane_response.h"
#include "sotto/constraint/constraint.h"
#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/discrete_laplace.h"
#include "sotto/kernel/exp_odds.h"
#include "sotto/kernel/uniform.h"

namespace sotto {

inline Epsilon eps(const char* text) { return Epsilon::parse(text).value_or_throw(); }
inline Rational share_of(const Epsilon& epsilon, std::int64_t parts) {
  return epsilon.divided_by(static_cast<std::uint64_t>(parts)).value_or_throw().value();
}

// Lattice noise with any rate around the points of any ball: honest for rate ε/(2·resolution).
inline ExactLaw lattice_law(const L1Ball& ball, const Rational& rate) {
  const Range points{-ball.resolution, ball.resolution};
  const std::int64_t margin = 20 * static_cast<std::int64_t>(rate.denominator() / rate.numerator() + 1);
  const Range window{points.low - margin, points.high + margin};
  return product_law(points_of(ball).value_or_throw(), {ball.dimension, laplace_coordinate(rate, points, window)})
      .value_or_throw();
}

// The scale fits the ball's radius, not its diameter: 2ε.
inline ExactLaw law_scaled_for_the_radius(const L1Ball& ball, const Epsilon& epsilon) {
  return lattice_law(ball, share_of(epsilon, ball.resolution));
}

// A floating-point constraint let Σ|k| = G + 1 through: ε·(G+1)/G.
inline ExactLaw law_with_one_step_too_many(const L1Ball& ball, const Epsilon& epsilon) {
  return lattice_law({ball.dimension, ball.resolution + 1}, share_of(epsilon, 2 * ball.resolution));
}

// The loop over coordinates ends one too early.
inline ExactLaw law_without_noise_on_the_last(const L1Ball& ball, const Epsilon& epsilon) {
  const Range points{-ball.resolution, ball.resolution};
  const CoordinateLaw noisy = laplace_coordinate(share_of(epsilon, 2 * ball.resolution), points, {-100, 100});
  std::vector<CoordinateLaw> laws(ball.dimension, noisy);
  laws.back() = CoordinateLaw(points, points, [](std::int64_t report, std::int64_t point) {
    return Enclosure(report == point ? std::uint64_t{1} : std::uint64_t{0});
  });
  return product_law(points_of(ball).value_or_throw(), laws).value_or_throw();
}

// Randomised response that draws its lie as a byte modulo k − 1. With k = 201, a byte is twice as likely to give one of
// the first 56 of the 200 lies as one of the others, which come with probability 1/256 instead of 1/200: e^ε·256/200.
inline ExactLaw law_of_lies_modulo(std::int64_t categories, const Epsilon& epsilon) {
  const auto others = static_cast<std::uint64_t>(categories - 1);
  const Enclosure weight = Enclosure::exp(Enclosure(epsilon.value()));
  const Enclosure truth = weight / (weight + Enclosure(others));
  const CoordinateLaw law({0, categories - 1}, {0, categories - 1}, [=](std::int64_t report, std::int64_t point) {
    if (report == point) return truth;
    const auto lie = static_cast<std::uint64_t>(report < point ? report : report - 1);
    Enclosure lies(256 / others + (lie < 256 % others ? 1 : 0));
    return (Enclosure(1) - truth) * (lies /= 256);
  });
  return product_law(points_of(Product::categories(categories)).value_or_throw(), {law}).value_or_throw();
}

// The published form of Duchi's mechanism for an even dimension: corners with s·v = 0 belong to both half-spaces, and
// have e^ε + 1 times the probability of a corner in the wrong half-space alone.
inline ExactLaw duchi_law_with_ties(const Product& box, const Epsilon& epsilon) {
  const std::size_t dimension = box.coordinates.size();
  const Enclosure weight = Enclosure::exp(Enclosure(epsilon.value()));
  Enclosure half;  // corners in one closed half-space
  for (std::size_t agreements = (dimension + 1) / 2; agreements <= dimension; ++agreements)
    half += Enclosure(binomial(dimension, agreements));
  return corner_law(box,
                    [&](std::size_t agreements) {
                      Enclosure sum;
                      if (2 * agreements >= dimension) sum += weight;
                      if (2 * agreements <= dimension) sum += Enclosure(1);
                      return sum / (half * (weight + Enclosure(1)));
                    })
      .value_or_throw();
}

// Subset selection whose odds are ω·e^ε : k instead of ω·e^ε : k − ω: e^ε·(k−ω)/k, for large ω far below e^−ε.
inline ExactLaw subset_law_with_odds_for_k(std::int64_t categories, std::int64_t subset_size, const Epsilon& epsilon) {
  ExactLaw honest = subset_selection_law(categories, subset_size, epsilon).value_or_throw();
  const auto k = static_cast<std::uint64_t>(categories);
  const auto size = static_cast<std::uint64_t>(subset_size);
  const Enclosure heads = Enclosure::exp(Enclosure(epsilon.value())) * Enclosure(size);
  const Enclosure own = heads / (heads + Enclosure(k)) / Enclosure(binomial(k - 1, size - 1));
  const Enclosure other = Enclosure(k) / (heads + Enclosure(k)) / Enclosure(binomial(k - 1, size));
  return make_law(std::move(honest.points), std::move(honest.reports), [own, other](Report report, Point point) {
    return std::binary_search(report.begin(), report.end(), point[0]) ? own : other;
  });
}

// Hadamard response that gives the first row of the matrix, which is 1 everywhere, to the first category of a block: it
// then owns all of the block, with odds for half of it.
inline ExactLaw hadamard_law_with_first_row(std::int64_t categories, std::int64_t block, const Epsilon& epsilon) {
  ExactLaw honest = hadamard_response_law(categories, block, epsilon).value_or_throw();
  const auto half = static_cast<std::uint64_t>(block / 2), symbols = static_cast<std::uint64_t>(honest.reports.size());
  const Enclosure heads = Enclosure::exp(Enclosure(epsilon.value())) * Enclosure(half);
  const Enclosure total = heads + Enclosure(symbols - half);
  const Enclosure own = heads / total / Enclosure(2 * half);
  const Enclosure other = Enclosure(symbols - half) / total / Enclosure(symbols - 2 * half);
  return make_law(std::move(honest.points), std::move(honest.reports),
                  [=, probability = std::move(honest.probability)](Report report, Point point) {
                    if (point[0] % (block - 1) != 0) return probability(report, point);
                    return report[0] / block == point[0] / (block - 1) ? own : other;
                  });
}

// Hyperplane response whose liar is not asked at random: a long point tells its side as it is.
inline ExactLaw hyperplane_law_of_honest_points(const L2Ball& ball, std::int64_t hyperplanes, const Epsilon& epsilon) {
  ExactLaw honest = hyperplane_response_law(ball, hyperplanes, epsilon).value_or_throw();
  Enclosure certain(1);
  certain /= static_cast<std::uint64_t>(hyperplanes);
  return make_law(std::move(honest.points), std::move(honest.reports),
                  [=, probability = std::move(honest.probability)](Report report, Point point) {
                    std::int64_t height = 0, square = 0;
                    for (std::size_t i = 0; i < point.size(); ++i) {
                      height += hyperplane_coefficient(report[0], i) * point[i];
                      square += point[i] * point[i];
                    }
                    if (square < ball.resolution * ball.resolution) return probability(report, point);
                    return (height >= 0) == (report[1] == 1) ? certain : Enclosure(0);
                  });
}
inline Sampler hyperplane_sampler_of_honest_points(const L2Ball& ball, std::int64_t hyperplanes,
                                                   const Epsilon& epsilon) {
  const auto channel = std::shared_ptr<Channel>(make_hyperplane_response(ball, epsilon, hyperplanes).value_or_throw());
  return [=](Point point, Entropy& entropy, std::span<std::int64_t> report) {
    channel->sample(point, entropy, report);
    std::int64_t height = 0, square = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      height += hyperplane_coefficient(report[0], i) * point[i];
      square += point[i] * point[i];
    }
    if (square == ball.resolution * ball.resolution) report[1] = height >= 0 ? 1 : 0;
  };
}

// The exponential channel with the weight for its largest distance alone: forgets that a code among many has a larger
// total than one far from all, which the textbook covers with a factor of two. Two codes that far apart have that
// weight, and equal totals.
inline ExactLaw exponential_law_without_totals(const Product& codes, const Epsilon& epsilon) {
  const std::uint8_t largest = *std::max_element(codes.distances.begin(), codes.distances.end());
  const Product ends{{{2, false}}, {0, largest, largest, 0}};
  return exponential_law(codes, exponential_weight(ends, epsilon).value_or_throw()).value_or_throw();
}

// Joins codes with labels after the weight has been chosen for the codes, and adds the largest distance where labels
// differ, instead of taking it.
inline ExactLaw exponential_law_with_labels_added(const Product& codes, std::size_t classes, const Epsilon& epsilon) {
  const std::uint8_t largest = *std::max_element(codes.distances.begin(), codes.distances.end());
  const auto count = static_cast<std::size_t>(codes.coordinates[0].levels), symbols = count * classes;
  Product joint = Product::categories(static_cast<std::int64_t>(symbols));
  for (std::size_t from = 0; from < symbols; ++from)
    for (std::size_t to = 0; to < symbols; ++to)
      joint.distances.push_back(
          static_cast<std::uint8_t>(codes.distances[from / classes * count + to / classes] +
                                    (from % classes == to % classes ? 0 : static_cast<int>(largest))));
  return exponential_law(joint, exponential_weight(codes, epsilon).value_or_throw()).value_or_throw();
}

// Its sampler with a limit on the proposals, after which it tells the truth. A proposal about a code is kept with the
// inverse of its own report's probability, divided by the number of codes.
inline ExactLaw exponential_law_that_gives_up(const Product& codes, int proposals, const Epsilon& epsilon) {
  ExactLaw honest = exponential_law(codes, exponential_weight(codes, epsilon).value_or_throw()).value_or_throw();
  const Enclosure count(static_cast<std::uint64_t>(codes.coordinates[0].levels));
  return make_law(std::move(honest.points), std::move(honest.reports),
                  [=, probability = std::move(honest.probability)](Report report, Point point) {
                    const Enclosure refused = Enclosure(1) - Enclosure(1) / (count * probability(point, point));
                    Enclosure given_up(1);
                    for (int i = 0; i < proposals; ++i) given_up *= refused;
                    const Enclosure drawn = (Enclosure(1) - given_up) * probability(report, point);
                    return report[0] == point[0] ? drawn + given_up : drawn;
                  });
}

// The same mistakes as code that draws.

inline Sampler exponential_sampler_that_gives_up(const Product& codes, int proposals, const Epsilon& epsilon) {
  const std::uint64_t weight = exponential_weight(codes, epsilon).value_or_throw();
  return [=](Point point, Entropy& entropy, std::span<std::int64_t> report) {
    const auto count = static_cast<std::uint64_t>(codes.coordinates[0].levels);
    for (int i = 0; i < proposals; ++i) {
      const std::uint64_t proposal = uniform_below(count, entropy);
      int coins = codes.distances[static_cast<std::uint64_t>(point[0]) * count + proposal];
      while (coins > 0 && bernoulli<std::uint64_t>(weight, std::uint64_t{1} << 24, entropy)) --coins;
      report[0] = static_cast<std::int64_t>(proposal);
      if (coins == 0) return;
    }
    report[0] = point[0];
  };
}

inline Sampler hadamard_sampler_with_first_row(std::int64_t categories, std::int64_t block, const Epsilon& epsilon) {
  const auto channel = std::shared_ptr<Channel>(make_hadamard_response(categories, block, epsilon).value_or_throw());
  const auto symbols = static_cast<std::uint64_t>(channel->report_ranges()[0].high + 1);
  const auto half = static_cast<std::uint64_t>(block / 2);
  const ExpOdds truth =
      ExpOdds::make(half, symbols - half, epsilon.value().numerator(), epsilon.value().denominator()).value_or_throw();
  return [=](Point point, Entropy& entropy, std::span<std::int64_t> report) {
    if (point[0] % (block - 1) != 0) {
      channel->sample(point, entropy, report);
      return;
    }
    const std::int64_t first = point[0] / (block - 1) * block;
    const bool heads = truth.heads(entropy);
    do report[0] = static_cast<std::int64_t>(uniform_below(symbols, entropy));
    while ((report[0] >= first && report[0] < first + block) != heads);
  };
}

inline Sampler lattice_sampler(const Rational& rate) {
  return [noise = DiscreteLaplace::make(rate.numerator(), rate.denominator()).value_or_throw()](
             Point point, Entropy& entropy, std::span<std::int64_t> report) {
    for (std::size_t i = 0; i < point.size(); ++i) report[i] = point[i] + noise.sample(entropy);
  };
}

// The channel must outlive it.
inline Sampler sampler_without_noise_on_the_last(const Channel& channel) {
  return [&channel](Point point, Entropy& entropy, std::span<std::int64_t> report) {
    channel.sample(point, entropy, report);
    report.back() = point.back();
  };
}

inline void sample_the_truth(Point point, Entropy&, std::span<std::int64_t> report) { report[0] = point[0]; }

inline ExpOdds odds(std::uint64_t heads, std::uint64_t tails, const Epsilon& epsilon) {
  return ExpOdds::make(heads, tails, epsilon.value().numerator(), epsilon.value().denominator()).value_or_throw();
}

inline Sampler sampler_of_lies_modulo(std::int64_t categories, const Epsilon& epsilon) {
  const auto others = static_cast<std::uint64_t>(categories - 1);
  return [others, truth = odds(1, others, epsilon)](Point point, Entropy& entropy, std::span<std::int64_t> report) {
    report[0] = point[0];
    if (truth.heads(entropy)) return;
    const auto lie = static_cast<std::int64_t>(entropy.take<std::uint8_t>() % others);
    report[0] = lie < point[0] ? lie : lie + 1;
  };
}

inline Sampler subset_sampler_with_odds_for_k(std::int64_t categories, std::int64_t subset_size,
                                              const Epsilon& epsilon) {
  const ExpOdds own = odds(static_cast<std::uint64_t>(subset_size), static_cast<std::uint64_t>(categories), epsilon);
  return [categories, own](Point point, Entropy& entropy, std::span<std::int64_t> report) {
    std::vector<std::int64_t> others;
    for (std::int64_t other = 0; other < categories; ++other)
      if (other != point[0]) others.push_back(other);
    std::size_t size = 0;
    if (own.heads(entropy)) report[size++] = point[0];
    while (size < report.size()) {
      const std::size_t pick = uniform_below(others.size(), entropy);
      report[size++] = others[pick];
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    std::sort(report.begin(), report.end());
  };
}

// For points that are corners of the cube already, given as bits.
inline Sampler duchi_sampler_with_ties(const Epsilon& epsilon) {
  return [right = odds(1, 1, epsilon)](Point corner, Entropy& entropy, std::span<std::int64_t> report) {
    const bool right_side = right.heads(entropy);
    while (true) {
      std::size_t agreements = 0;
      for (std::size_t i = 0; i < report.size(); ++i) {
        report[i] = entropy.take<std::uint8_t>() & 1;
        agreements += report[i] == corner[i] ? 1 : 0;
      }
      if (right_side ? 2 * agreements >= report.size() : 2 * agreements <= report.size()) return;
    }
  };
}

// Laplace noise by inverting the distribution function on a 53-bit uniform, added in floating point [Mir12]. The report
// is the sum's bit pattern. Sensitivity 1, ε = 1.
inline void sample_naive_laplace(Point point, Entropy& entropy, std::span<std::int64_t> report) {
  const double uniform = static_cast<double>(entropy.take<std::uint64_t>() >> 11) * 0x1p-53 - 0.5;
  const double noise = -std::copysign(std::log(1 - 2 * std::abs(uniform)), uniform);
  report[0] = std::bit_cast<std::int64_t>(static_cast<double>(point[0]) + noise);
}

// Constraints.

// Scales into the ball and rounds to the nearest integer, all in floating point: Σ|k| may exceed G.
class FloatingPointL1Lattice : public Constraint {
 public:
  explicit FloatingPointL1Lattice(L1Ball ball) : Constraint(ball, ball.dimension), resolution_(ball.resolution) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    double norm = 0;
    for (const float value : encoded) norm += std::isfinite(value) ? std::abs(static_cast<double>(value)) : 0;
    for (std::size_t i = 0; i < encoded.size(); ++i) {
      const double value = std::isfinite(encoded[i]) ? static_cast<double>(encoded[i]) : 0;
      point[i] = std::llround(value / std::max(norm, 1.0) * static_cast<double>(resolution_));
    }
  }

  std::int64_t resolution_;
};

// Enforces Σ|k| ≤ G by rounding towards zero, but a NaN is neither above nor below any bound, and passes all checks.
class NanBlindL1Lattice : public Constraint {
 public:
  explicit NanBlindL1Lattice(L1Ball ball) : Constraint(ball, ball.dimension), resolution_(ball.resolution) {}

 private:
  void map(std::span<const float> encoded, std::span<std::int64_t> point) const override {
    double norm = 0;
    for (const float value : encoded) norm += std::isinf(value) ? 0 : std::abs(static_cast<double>(value));
    const double scale = norm > 1 ? (1 - 0x1p-20) / norm : 1 - 0x1p-20;
    for (std::size_t i = 0; i < encoded.size(); ++i) {
      const double value = std::isinf(encoded[i]) ? 0 : static_cast<double>(encoded[i]);
      point[i] = std::llrint(std::trunc(value * scale * static_cast<double>(resolution_)));
    }
  }

  std::int64_t resolution_;
};

}  // namespace sotto
