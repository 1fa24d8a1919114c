#include "sotto/audit/exact_law.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sotto/channel/hyperplane_response.h"
#include "sotto/kernel/integer_sqrt.h"

namespace sotto {
namespace {

// How many probabilities a law may have, and up to how many a product lists all: a minute, and about a second.
constexpr std::size_t kMostProbabilities = std::size_t{1} << 22;
constexpr std::size_t kFewProbabilities = std::size_t{1} << 20;
constexpr std::size_t kLargestCube = 10;

// Symmetric noise added to the point, the sum clamped to the window. `weights` of the distances from 0 on are relative;
// `rest` is the weight of all distances beyond them.
CoordinateLaw clamped_noise(std::vector<Enclosure> weights, const Enclosure& rest, Range points, Range window) {
  const auto first_edge = static_cast<std::size_t>(std::min(points.low - window.low, window.high - points.high));
  std::vector<Enclosure> tails(weights.size() - first_edge);  // from each distance at which an edge may lie
  Enclosure tail = rest;
  for (std::size_t n = weights.size() - 1; n > 0; --n) {
    tail += weights[n];
    if (n >= first_edge) tails[n - first_edge] = tail;
  }
  const Enclosure total = weights[0] + tail + tail;
  for (Enclosure& weight : weights) weight /= total;
  for (Enclosure& edge : tails) edge /= total;
  using Shared = std::shared_ptr<const std::vector<Enclosure>>;
  const Shared inside = std::make_shared<std::vector<Enclosure>>(std::move(weights));
  const Shared edges = std::make_shared<std::vector<Enclosure>>(std::move(tails));
  return {points, window, [=](std::int64_t report, std::int64_t point) {
            const auto distance = static_cast<std::size_t>(std::abs(report - point));
            const bool at_an_edge = report == window.low || report == window.high;
            return at_an_edge ? (*edges)[distance - first_edge] : (*inside)[distance];
          }};
}

std::size_t largest_distance(Range points, Range window) {
  return static_cast<std::size_t>(std::max(points.high - window.low, window.high - points.low));
}

using Alphabets = std::vector<std::vector<std::int64_t>>;

// The number of tuples, or anything above kMostProbabilities.
std::size_t count(const Alphabets& alphabets) {
  std::size_t product = 1;
  for (const auto& alphabet : alphabets) product = std::min(2 * kMostProbabilities, product * alphabet.size());
  return product;
}

Result<Tuples> tuples_over(const Alphabets& alphabets) {
  std::vector<Range> ranges;
  for (const auto& alphabet : alphabets) ranges.push_back({0, static_cast<std::int64_t>(alphabet.size()) - 1});
  const auto indices = enumerate(ranges, [](Report) { return true; });
  if (!indices) return indices.error();
  Tuples tuples(alphabets.size());
  std::vector<std::int64_t> tuple(alphabets.size());
  for (std::size_t i = 0; i < indices->size(); ++i) {
    for (std::size_t c = 0; c < tuple.size(); ++c) tuple[c] = alphabets[c][static_cast<std::size_t>((*indices)[i][c])];
    tuples.push_back(tuple);
  }
  return tuples;
}

// Sylvester's construction: a matrix twice as large is made of four copies, of which the last is negated.
bool is_positive_in_hadamard(std::uint64_t size, std::uint64_t row, std::uint64_t column) {
  if (size == 1) return true;
  const std::uint64_t half = size / 2;
  const bool copy = is_positive_in_hadamard(half, row % half, column % half);
  return row >= half && column >= half ? !copy : copy;
}

}  // namespace

ExactLaw make_law(Tuples points, Tuples reports, std::function<Enclosure(Report, Point)> probability) {
  std::vector<Enclosure> totals(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < reports.size(); ++j) totals[i] += probability(reports[j], points[i]);
  return {std::move(points), std::move(reports), Listing::kAll, std::move(probability), std::move(totals)};
}

CoordinateLaw::CoordinateLaw(Range points, Range reports, Probability probability)
    : points_(points), reports_(reports), probability_(std::move(probability)), listed_(integers(reports)) {
  for (const std::int64_t point : integers(points)) {
    Enclosure& total = totals_.emplace_back();
    for (const std::int64_t report : listed_) total += probability_(report, point);
  }
}

void CoordinateLaw::list(Listing listing, const std::function<bool(std::int64_t)>& listed) {
  listing_ = listing;
  std::erase_if(listed_, [&](std::int64_t report) { return !listed(report); });
}

// With α = exp(−rate): a weight is α^n, and what follows the last weight w is the geometric series w·α/(1 − α).
CoordinateLaw laplace_coordinate(const Rational& rate, Range points, Range window) {
  const Enclosure alpha = Enclosure::exp_minus(Enclosure(rate));
  std::vector<Enclosure> weights{Enclosure(1)};
  while (weights.size() <= largest_distance(points, window)) weights.push_back(weights.back() * alpha);
  const Enclosure rest = weights.back() * alpha / (Enclosure(1) - alpha);
  CoordinateLaw law = clamped_noise(std::move(weights), rest, points, window);
  law.list(Listing::kEveryRatio, [=](std::int64_t r) {
    return (r >= points.low - 1 && r <= points.high + 1) || r <= window.low + 1 || r >= window.high - 1;
  });
  return law;
}

// Weights exp(−n²/(2σ²)), continued far enough beyond the window that the rest is below 2^−200 of the smallest needed.
// The quotient q of neighbouring weights falls with n, so what follows the last weight w is at most w·q/(1 − q). The
// sampler conditions on |X| < 2^11·σ, which changes every probability by a factor within 1 ± exp(−2^20): nothing at 256
// bits.
CoordinateLaw gaussian_coordinate(std::uint64_t variance, Range points, Range window) {
  const std::size_t needed = largest_distance(points, window);
  std::vector<Enclosure> weights;
  const auto negligible = [&] {
    return weights.size() > needed + 1 &&
           mpfr_get_exp(weights.back().high()) < mpfr_get_exp(weights[needed].low()) - 200;
  };
  for (std::uint64_t n = 0; !negligible(); ++n) {
    Enclosure exponent(n * n);
    weights.push_back(Enclosure::exp_minus(exponent /= 2 * variance));
  }
  const Enclosure quotient = weights.back() / weights[weights.size() - 2];
  const Enclosure rest = weights.back() * quotient / (Enclosure(1) - quotient);
  CoordinateLaw law = clamped_noise(std::move(weights), Enclosure::between(Enclosure(), rest), points, window);
  const auto reach = static_cast<std::int64_t>(6 * (floor_sqrt(variance) + 1));
  law.list(Listing::kMostLikely, [=](std::int64_t r) { return r >= points.low - reach && r <= points.high + reach; });
  return law;
}

CoordinateLaw response_coordinate(std::int64_t categories, const Epsilon& epsilon) {
  const Enclosure truth = Enclosure::exp(Enclosure(epsilon.value()));
  const Enclosure total = truth + Enclosure(static_cast<std::uint64_t>(categories - 1));
  const Enclosure own = truth / total;
  const Enclosure other = Enclosure(1) / total;
  const Range range{0, categories - 1};
  return {range, range, [=](std::int64_t report, std::int64_t point) { return report == point ? own : other; }};
}

Result<ExactLaw> product_law(Tuples points, std::vector<CoordinateLaw> coordinates) {
  Alphabets alphabets;
  for (const CoordinateLaw& law : coordinates) alphabets.push_back(integers(law.reports()));
  auto listing = Listing::kAll;
  if (count(alphabets) > kFewProbabilities / points.size()) {
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      alphabets[i] = coordinates[i].listed();
      listing = std::max(listing, coordinates[i].listing());
    }
    if (count(alphabets) > kMostProbabilities / points.size()) return too_large();
  }
  auto reports = tuples_over(alphabets);
  if (!reports) return reports.error();
  std::vector<Enclosure> totals;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Enclosure total(1);  // the sum of all products is the product of the sums
    for (std::size_t c = 0; c < coordinates.size(); ++c) total *= coordinates[c].total(points[i][c]);
    totals.push_back(total);
  }
  auto probability = [laws = std::move(coordinates)](Report report, Point point) {
    Enclosure product = laws[0].probability(report[0], point[0]);
    for (std::size_t c = 1; c < laws.size(); ++c) product *= laws[c].probability(report[c], point[c]);
    return product;
  };
  return ExactLaw{std::move(points), std::move(*reports), listing, std::move(probability), std::move(totals)};
}

Result<ExactLaw> subset_selection_law(std::int64_t categories, std::int64_t subset_size, const Epsilon& epsilon) {
  const auto k = static_cast<std::uint64_t>(categories);
  const auto size = static_cast<std::uint64_t>(subset_size);
  auto points = points_of(Product::categories(categories));
  if (!points) return points.error();
  auto subsets = enumerate(std::vector<Range>(size, {0, categories - 1}), [](Report report) {
    return std::adjacent_find(report.begin(), report.end(), std::greater_equal<>()) == report.end();
  });
  if (!subsets) return subsets.error();
  if (subsets->size() * points->size() > kMostProbabilities) return too_large();
  const Enclosure own = Enclosure::exp(Enclosure(epsilon.value()));
  const Enclosure total = own * Enclosure(binomial(k - 1, size - 1)) + Enclosure(binomial(k - 1, size));
  return make_law(std::move(*points), std::move(*subsets),
                  [with_own = own / total, without_own = Enclosure(1) / total](Report report, Point point) {
                    return std::find(report.begin(), report.end(), point[0]) != report.end() ? with_own : without_own;
                  });
}

Result<ExactLaw> hadamard_response_law(std::int64_t categories, std::int64_t block, const Epsilon& epsilon) {
  auto points = points_of(Product::categories(categories));
  if (!points) return points.error();
  const std::int64_t blocks = (categories + block - 2) / (block - 1);
  auto symbols = enumerate({{0, blocks * block - 1}}, [](Report) { return true; });
  if (!symbols) return symbols.error();
  if (symbols->size() * points->size() > kMostProbabilities) return too_large();
  const auto owned = static_cast<std::uint64_t>(block / 2), others = symbols->size() - owned;
  const Enclosure weight = Enclosure::exp(Enclosure(epsilon.value()));
  const Enclosure total = weight * Enclosure(owned) + Enclosure(others);
  return make_law(std::move(*points), std::move(*symbols),
                  [=, own = weight / total, other = Enclosure(1) / total](Report report, Point point) {
                    const bool owns = report[0] / block == point[0] / (block - 1) &&
                                      is_positive_in_hadamard(static_cast<std::uint64_t>(block),
                                                              static_cast<std::uint64_t>(point[0] % (block - 1) + 1),
                                                              static_cast<std::uint64_t>(report[0] % block));
                    return owns ? own : other;
                  });
}

Result<ExactLaw> exponential_law(const Product& codes, std::uint64_t weight) {
  auto points = points_of(codes);
  if (!points) return points.error();
  if (points->size() * points->size() > kMostProbabilities) return too_large();
  Enclosure base(weight);
  base /= std::uint64_t{1} << 24;
  std::vector<Enclosure> powers{Enclosure(1)};
  while (powers.size() <= *std::max_element(codes.distances.begin(), codes.distances.end()))
    powers.push_back(powers.back() * base);
  const auto distance = [distances = codes.distances, count = points->size()](Report report, Point point) {
    return distances[static_cast<std::size_t>(point[0]) * count + static_cast<std::size_t>(report[0])];
  };
  std::vector<Enclosure> totals(points->size());
  for (std::size_t i = 0; i < points->size(); ++i)
    for (std::size_t j = 0; j < points->size(); ++j) totals[i] += powers[distance((*points)[j], (*points)[i])];
  Tuples reports = *points;
  return make_law(std::move(*points), std::move(reports), [=](Report report, Point point) {
    return powers[distance(report, point)] / totals[static_cast<std::size_t>(point[0])];
  });
}

Result<ExactLaw> hyperplane_response_law(const L2Ball& ball, std::int64_t hyperplanes, const Epsilon& epsilon) {
  auto points = points_of(ball);
  if (!points) return points.error();
  auto reports = enumerate({{0, hyperplanes - 1}, {0, 1}}, [](Report) { return true; });
  if (!reports) return reports.error();
  if (reports->size() * points->size() > kMostProbabilities) return too_large();
  const Enclosure favoured = Enclosure::exp(Enclosure(epsilon.value()));
  Enclosure total = (favoured + Enclosure(1)) * Enclosure(static_cast<std::uint64_t>(2 * ball.resolution));
  total *= static_cast<std::uint64_t>(hyperplanes);
  return make_law(std::move(*points), std::move(*reports),
                  [favoured, total, radius = static_cast<std::uint64_t>(ball.resolution)](Report report, Point point) {
                    std::int64_t height = 0, square = 0;
                    for (std::size_t i = 0; i < point.size(); ++i) {
                      height += hyperplane_coefficient(report[0], i) * point[i];
                      square += point[i] * point[i];
                    }
                    const std::uint64_t length = floor_sqrt(static_cast<std::uint64_t>(square));
                    const bool agrees = (height >= 0) == (report[1] == 1);
                    const std::uint64_t told = agrees ? radius + length : radius - length;
                    return (favoured * Enclosure(told) + Enclosure(2 * radius - told)) / total;
                  });
}

Result<ExactLaw> corner_law(const Product& box,
                            const std::function<Enclosure(std::size_t)>& probability_given_agreements) {
  const std::size_t dimension = box.coordinates.size();
  auto points = points_of(box);
  if (!points) return points.error();
  auto corners = enumerate(std::vector<Range>(dimension, {0, 1}), [](Report) { return true; });
  if (!corners) return corners.error();
  if (corners->size() * corners->size() * points->size() > kMostProbabilities) return too_large();
  std::vector<Enclosure> reported;
  for (std::size_t agreements = 0; agreements <= dimension; ++agreements)
    reported.push_back(probability_given_agreements(agreements));
  auto probability = [box, corners = *corners, reported](Report report, Point point) {
    Enclosure sum;
    for (std::size_t v = 0; v < corners.size(); ++v) {
      Enclosure rounded(1);
      std::size_t agreements = 0;
      for (std::size_t i = 0; i < point.size(); ++i) {
        const std::int64_t most = box.coordinates[i].levels - 1;
        rounded *= static_cast<std::uint64_t>(corners[v][i] == 1 ? point[i] : most - point[i]);
        rounded /= static_cast<std::uint64_t>(most);
        agreements += report[i] == corners[v][i] ? 1 : 0;
      }
      sum += rounded * reported[agreements];
    }
    return sum;
  };
  return make_law(std::move(*points), std::move(*corners), std::move(probability));
}

Result<ExactLaw> duchi_law(const Product& box, const Epsilon& epsilon) {
  const std::size_t dimension = box.coordinates.size();
  if (dimension > kLargestCube) return too_large();
  const Enclosure favoured = Enclosure::exp(Enclosure(epsilon.value()));
  Enclosure total;
  for (std::size_t agreements = 0; agreements <= dimension; ++agreements)
    total += Enclosure(binomial(dimension, agreements)) * (2 * agreements > dimension ? favoured : Enclosure(1));
  return corner_law(
      box, [&](std::size_t agreements) { return (2 * agreements > dimension ? favoured : Enclosure(1)) / total; });
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

}  // namespace sotto
