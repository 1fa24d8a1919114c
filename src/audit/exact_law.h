// The probability of every report of a small channel, enclosed between directed roundings.
//
// The laws are derived here from the definitions in docs/proofs/, not taken from `Channel::log_likelihood`, so that an
// error there shows as a disagreement. Only families whose channels are exact have one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sotto/audit/enclosure.h"
#include "sotto/audit/tuples.h"
#include "sotto/privacy/epsilon.h"

namespace sotto {

// Which reports a law lists.
enum class Listing {
  kAll,
  kEveryRatio,  // some; every ratio P(r|x)/P(r|x') that occurs at all occurs at one of them
  kMostLikely,  // some; the probability of the others can be bounded, their ratios cannot
};

struct ExactLaw {
  Tuples points;
  Tuples reports;
  Listing listing;
  std::function<Enclosure(Report, Point)> probability;
  std::vector<Enclosure> totals;  // for each point the sum over all reports, listed or not; each must be one
};

// A law given by its probabilities on all of its reports.
ExactLaw make_law(Tuples points, Tuples reports, std::function<Enclosure(Report, Point)> probability);

// The law of one coordinate: P(report) for every value that the point may have there. Cheap to copy.
class CoordinateLaw {
 public:
  using Probability = std::function<Enclosure(std::int64_t report, std::int64_t point)>;
  CoordinateLaw(Range points, Range reports, Probability probability);

  // The reports to list where all would be too many; all of them unless said otherwise.
  void list(Listing listing, const std::function<bool(std::int64_t)>& listed);

  Enclosure probability(std::int64_t report, std::int64_t point) const { return probability_(report, point); }
  const Enclosure& total(std::int64_t point) const { return totals_[static_cast<std::size_t>(point - points_.low)]; }
  Range reports() const { return reports_; }
  Listing listing() const { return listing_; }
  const std::vector<std::int64_t>& listed() const { return listed_; }

 private:
  Range points_, reports_;
  Probability probability_;
  std::vector<Enclosure> totals_;
  Listing listing_ = Listing::kAll;
  std::vector<std::int64_t> listed_;
};

// Noise P(X = x) ∝ exp(−rate·|x|) on a coordinate, the sum clamped to the window. Lists the reports up to one step
// beyond the points, and those at and next to the window's edges. They show every ratio: on one side of the points, the
// edge included, P(r|k)/P(r|k') is exp(±rate·(k − k')) whatever r is.
CoordinateLaw laplace_coordinate(const Rational& rate, Range points, Range window);

// Noise P(X = x) ∝ exp(−x²/(2·variance)). Lists the reports up to 6 standard deviations beyond the points.
CoordinateLaw gaussian_coordinate(std::uint64_t variance, Range points, Range window);

// k-ary randomised response.
CoordinateLaw response_coordinate(std::int64_t categories, const Epsilon& epsilon);

// Coordinates reported independently. Lists all reports if that takes no more than a second or so; a ratio of products
// is the product of ratios, so what the coordinates list shows every ratio of the whole.
Result<ExactLaw> product_law(Tuples points, std::vector<CoordinateLaw> coordinates);

// The true category's sets weigh e^ε, the others 1.
Result<ExactLaw> subset_selection_law(std::int64_t categories, std::int64_t subset_size, const Epsilon& epsilon);

// Of the symbols of a category's block, those where its row of the Hadamard matrix is 1 weigh e^ε, all others 1.
Result<ExactLaw> hadamard_response_law(std::int64_t categories, std::int64_t block, const Epsilon& epsilon);

// A report at distance d from the category weighs (weight / 2^24)^d.
Result<ExactLaw> exponential_law(const Product& codes, std::uint64_t weight);

// Of the first hyperplanes, one uniformly; the side that a point is on with probability (1 + length/radius)/2, else the
// other, and that by randomised response.
Result<ExactLaw> hyperplane_response_law(const L2Ball& ball, std::int64_t hyperplanes, const Epsilon& epsilon);

// A corner v of the cube is drawn with E[v] = point; a corner s is reported with a probability that depends on the
// number of coordinates in which s and v agree.
Result<ExactLaw> corner_law(const Product& box,
                            const std::function<Enclosure(std::size_t)>& probability_given_agreements);
// Duchi's: more than half agree, e^ε; else 1.
Result<ExactLaw> duchi_law(const Product& box, const Epsilon& epsilon);

std::uint64_t binomial(std::uint64_t n, std::uint64_t k);

}  // namespace sotto
