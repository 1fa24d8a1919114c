#include "sotto/learn/report_likelihood.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/learn/lattice_test.h"

namespace sotto {
namespace {

struct Weighed {
  std::vector<float> weights;
  std::vector<double> log_scales;
};

Weighed weigh(const ReportLikelihood& likelihood, Stretch reports, Stretch points) {
  Weighed result{std::vector<float>(reports.count * points.count), std::vector<double>(reports.count)};
  likelihood.weigh(reports, points, result.weights, result.log_scales);
  return result;
}

Weighed weigh(const ReportLikelihood& likelihood, std::size_t begin, std::size_t count) {
  return weigh(likelihood, {begin, count}, {0, likelihood.points()});
}

// Reports about points, and then some whose coordinates are at the ends of the window: all low, all high, one of each.
std::vector<std::int64_t> typical_and_extreme_reports(const Lattice& lattice, SeededEntropy& entropy) {
  std::vector<std::int64_t> reports = draw_reports(*lattice.channel, draw_points(lattice.ball, 5, entropy), entropy);
  const Range window = lattice.channel->report_ranges()[0];
  reports.insert(reports.end(), lattice.ball.dimension, window.low);
  reports.insert(reports.end(), lattice.ball.dimension, window.high);
  for (std::size_t i = 0; i < lattice.ball.dimension; ++i) reports.push_back(i % 2 == 0 ? window.high : 0);
  return reports;
}

void expect_the_same(const Lattice& lattice, std::size_t points) {
  SeededEntropy entropy(points);
  const auto places = draw_points(lattice.ball, points, entropy);
  const auto reports = typical_and_extreme_reports(lattice, entropy);
  const auto fast = make_report_likelihood(*lattice.channel, reports, places);
  const auto plain = make_plain_likelihood(*lattice.channel, reports, places);
  ASSERT_EQ(fast->reports(), reports.size() / lattice.ball.dimension);
  ASSERT_EQ(fast->points(), points);
  const Weighed ours = weigh(*fast, 0, fast->reports()), expected = weigh(*plain, 0, plain->reports());
  for (std::size_t n = 0; n < fast->reports(); ++n) {
    // The scale is a sum of floats, with digits to match its size.
    EXPECT_NEAR(ours.log_scales[n], expected.log_scales[n], 1e-5 + 1e-7 * std::abs(expected.log_scales[n]));
    for (std::size_t m = 0; m < points; ++m)
      EXPECT_NEAR(ours.weights[n * points + m], expected.weights[n * points + m], 1e-5)
          << "report " << n << ", point " << m;
  }
}

TEST(ReportLikelihood, OfLaplaceNoiseIsTheSameFastAndPlain) {
  for (const std::string_view epsilon : {"0.1", "1", "8", "50"})
    for (const std::size_t dimension : {1, 3, 8})
      for (const std::size_t points : {1, 7, 16, 37, 131}) {
        SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << ", " << dimension << " coordinates, " << points
                                        << " points");
        expect_the_same(make_lattice(dimension, 1000, epsilon), points);
      }
}

TEST(ReportLikelihood, DoesNotDependOnHowReportsAreSharedOut) {
  const Lattice lattice = make_lattice(3, 1000, "4");
  SeededEntropy entropy(1);
  const auto points = draw_points(lattice.ball, 37, entropy);
  const auto reports = draw_reports(*lattice.channel, draw_points(lattice.ball, 11, entropy), entropy);
  for (const auto& likelihood : {make_report_likelihood(*lattice.channel, reports, points),
                                 make_plain_likelihood(*lattice.channel, reports, points)}) {
    const Weighed whole = weigh(*likelihood, 0, 11);
    for (std::size_t n = 0; n < 11; ++n) {
      const Weighed single = weigh(*likelihood, n, 1);
      EXPECT_EQ(single.log_scales[0], whole.log_scales[n]);
      EXPECT_TRUE(std::equal(single.weights.begin(), single.weights.end(), whole.weights.begin() + n * 37));
    }
  }
}

TEST(ReportLikelihood, OfSomePointsIsThatOfAllInUnitsOfTheLargestAmongThem) {
  const Lattice lattice = make_lattice(3, 1000, "4");
  SeededEntropy entropy(6);
  const auto points = draw_points(lattice.ball, 37, entropy);
  const auto reports = draw_reports(*lattice.channel, draw_points(lattice.ball, 11, entropy), entropy);
  for (const auto& likelihood : {make_report_likelihood(*lattice.channel, reports, points),
                                 make_plain_likelihood(*lattice.channel, reports, points)}) {
    const Weighed whole = weigh(*likelihood, 0, 11);
    for (const Stretch part : {Stretch{0, 1}, Stretch{1, 20}, Stretch{3, 34}, Stretch{36, 1}}) {
      const Weighed some = weigh(*likelihood, {0, 11}, part);
      for (std::size_t n = 0; n < 11; ++n) {
        const auto row = std::span(some.weights).subspan(n * part.count, part.count);
        EXPECT_EQ(*std::max_element(row.begin(), row.end()), 1);
        for (std::size_t m = 0; m < part.count; ++m)
          EXPECT_NEAR(static_cast<double>(row[m]) * std::exp(some.log_scales[n] - whole.log_scales[n]),
                      static_cast<double>(whole.weights[n * 37 + part.begin + m]), 1e-6);
      }
    }
  }
}

TEST(ReportLikelihood, HasALargestWeightOfOneAndTheChannelsOwnScale) {
  const Lattice lattice = make_lattice(3, 1000, "4");
  SeededEntropy entropy(2);
  const auto points = draw_points(lattice.ball, 37, entropy);
  const auto reports = draw_reports(*lattice.channel, draw_points(lattice.ball, 9, entropy), entropy);
  const auto likelihood = make_plain_likelihood(*lattice.channel, reports, points);
  const Weighed result = weigh(*likelihood, 0, 9);
  for (std::size_t n = 0; n < 9; ++n) {
    const auto row = std::span(result.weights).subspan(n * 37, 37);
    EXPECT_EQ(*std::max_element(row.begin(), row.end()), 1);
    for (std::size_t m = 0; m < 37; ++m) {
      const double expected =
          lattice.channel->log_likelihood(std::span(reports).subspan(3 * n, 3), std::span(points).subspan(3 * m, 3));
      EXPECT_NEAR(std::log(static_cast<double>(row[m])) + result.log_scales[n], expected, 1e-5);
    }
  }
}

}  // namespace
}  // namespace sotto
