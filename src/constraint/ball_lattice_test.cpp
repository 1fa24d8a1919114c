#include "sotto/constraint/ball_lattice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sotto/constraint/hostile_floats_test.h"

namespace sotto {
namespace {

using Points = std::vector<std::int64_t>;
using Maker = Result<std::unique_ptr<Constraint>> (*)(std::size_t dimension, std::int64_t resolution, double radius);

Result<std::unique_ptr<Constraint>> make_l1(std::size_t dimension, std::int64_t resolution, double radius) {
  return make_l1_lattice({dimension, resolution}, radius);
}
Result<std::unique_ptr<Constraint>> make_l2(std::size_t dimension, std::int64_t resolution, double radius) {
  return make_l2_lattice({dimension, resolution}, radius);
}

Points constrained(const Constraint& constraint, const std::vector<float>& encoded) {
  Points point(point_length(constraint.domain()));
  constraint.constrain(encoded, point).or_throw();
  return point;
}

class BallLattice : public testing::TestWithParam<Maker> {};
INSTANTIATE_TEST_SUITE_P(Both, BallLattice, testing::Values(make_l1, make_l2),
                         [](const auto& test) { return test.param == make_l1 ? "L1" : "L2"; });

// About two million bit patterns in all.
TEST_P(BallLattice, EndsInsideWhateverComesIn) {
  for (const std::int64_t resolution : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1} << 16, kMaxResolution})
    for (const double radius : {1e-6, 1.0, 1e6})
      for (const auto& [dimension, rounds] :
           {std::pair{1, 2000}, {2, 2000}, {3, 2000}, {8, 2000}, {100, 500}, {1000, 50}})
        EXPECT_EQ(escapes(*GetParam()(dimension, resolution, radius).value_or_throw(), rounds), 0)
            << "dimension " << dimension << ", resolution " << resolution << ", radius " << radius;
}

TEST_P(BallLattice, TruncatesInsideTheBall) {
  HostileFloats floats;
  const std::int64_t resolution = 1 << 16;
  const auto constraint = GetParam()(8, resolution, 2.0).value_or_throw();
  for (int round = 0; round < 1000; ++round) {
    const auto encoded = floats.ordinary(8, 0.25F);  // L1 and L2 norm both at most 2
    const auto point = constrained(*constraint, encoded);
    for (std::size_t i = 0; i < 8; ++i)
      ASSERT_EQ(point[i],
                static_cast<std::int64_t>(encoded[i] * static_cast<float>(resolution / 2)));  // exact in float
  }
}

TEST_P(BallLattice, LeavesLatticePointsWhereTheyAre) {
  HostileFloats floats;
  const std::int64_t resolution = 1 << 16;
  const auto constraint = GetParam()(5, resolution, 1.0).value_or_throw();
  for (int round = 0; round < 1000; ++round) {
    const auto point = constrained(*constraint, floats.ordinary(5, 1.0F));
    std::vector<float> again;
    for (const std::int64_t k : point) again.push_back(static_cast<float>(k) / static_cast<float>(resolution));
    ASSERT_EQ(constrained(*constraint, again), point);
  }
}

// Non-finite coordinates count as zero; the others keep their direction, up to one step of the lattice per coordinate.
TEST_P(BallLattice, ScalesBackToTheSurfaceFromOutside) {
  HostileFloats floats;
  const std::int64_t resolution = 1 << 16;
  const auto constraint = GetParam()(6, resolution, 1.0).value_or_throw();
  for (int round = 0; round < 1000; ++round) {
    auto encoded = floats.ordinary(6, 1000.0F);
    encoded[5] = std::numeric_limits<float>::quiet_NaN();
    const auto point = constrained(*constraint, encoded);
    double norm = 0;
    for (std::size_t i = 0; i < 5; ++i)
      norm = GetParam() == make_l1 ? norm + std::abs(encoded[i]) : std::hypot(norm, static_cast<double>(encoded[i]));
    for (std::size_t i = 0; i < 5; ++i)
      ASSERT_NEAR(static_cast<double>(point[i]), encoded[i] / norm * static_cast<double>(resolution), 2);
    ASSERT_EQ(point[5], 0);
  }
}

TEST_P(BallLattice, RefusesWrongLengths) {
  expect_wrong_lengths_are_refused(*GetParam()(4, 100, 1.0).value_or_throw());
}

TEST_P(BallLattice, RefusesParametersOutsideTheirRange) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double radius : {0.0, -1.0, 9e-7, 1.1e6, kInfinity, -kInfinity, std::nan("")}) {
    const auto constraint = GetParam()(4, 100, radius);
    ASSERT_FALSE(constraint) << radius;
    EXPECT_NE(constraint.error().message.find("_radius"), std::string::npos);
  }
  EXPECT_FALSE(GetParam()(0, 100, 1.0));
  EXPECT_FALSE(GetParam()(kMaxDimension + 1, 100, 1.0));
  EXPECT_FALSE(GetParam()(4, 0, 1.0));
  EXPECT_FALSE(GetParam()(4, -1, 1.0));
  EXPECT_FALSE(GetParam()(4, kMaxResolution + 1, 1.0));
}

// ---- the same check, on constraints that are wrong

// The projection as one would write it in floats, rounding each coordinate to the nearest lattice point.
void float_projection_mutant(std::span<const float> encoded, std::span<std::int64_t> point, std::int64_t resolution) {
  float norm = 0;
  for (const float value : encoded) norm += std::isfinite(value) ? std::abs(value) : 0;
  const float scale = static_cast<float>(resolution) / std::max(norm, 1.0F);
  for (std::size_t i = 0; i < encoded.size(); ++i)
    point[i] = std::isfinite(encoded[i]) ? std::lrint(encoded[i] * scale) : 0;
}

TEST(BallLatticeCheck, RejectsAProjectionInFloatingPoint) {
  const L1Ball ball{8, 1 << 16};
  EXPECT_GT(escapes(ball, 8, 1000,
                    [&](auto encoded, auto point) { float_projection_mutant(encoded, point, ball.resolution); }),
            0);
  std::int64_t worst = 0;  // and it is the coordinates' sum that leaves, by little
  HostileFloats floats;
  for (int round = 0; round < 1000; ++round) {
    Points point(8);
    float_projection_mutant(floats.ordinary(8, 3.0F), point, ball.resolution);
    worst = std::max(worst, std::transform_reduce(point.begin(), point.end(), std::int64_t{0}, std::plus<>(),
                                                  [](std::int64_t k) { return std::abs(k); }));
  }
  EXPECT_GT(worst, ball.resolution);
  EXPECT_LE(worst, ball.resolution + 4);
}

TEST(BallLatticeCheck, RejectsAConstraintThatLetsNanThrough) {
  const L1Ball ball{3, 1000};
  EXPECT_GT(escapes(ball, 3, 10,
                    [](auto encoded, auto point) {
                      float norm = 1;
                      for (const float value : encoded) norm = std::max(norm, std::abs(value));
                      for (std::size_t i = 0; i < point.size(); ++i) point[i] = std::lrint(encoded[i] / norm * 333);
                    }),
            0);
}

// ---- the integer half alone

TEST(ShrinkIntoBall, EndsInsideTowardsZeroAndLeavesThePointsInside) {
  std::mt19937_64 engine(1);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t dimension = 1 + engine() % 12;
    const auto resolution = static_cast<std::int64_t>(1 + engine() % 5000);
    const auto largest = static_cast<std::int64_t>(1 + engine() % (engine() % 2 == 0 ? 2 * resolution : 1 << 21));
    Points before(dimension);
    for (std::int64_t& k : before) k = static_cast<std::int64_t>(engine() % (2 * largest + 1)) - largest;
    for (const bool l1 : {true, false}) {
      const Domain ball = l1 ? Domain(L1Ball{dimension, resolution}) : Domain(L2Ball{dimension, resolution});
      Points after = before;
      (l1 ? shrink_into_l1_ball : shrink_into_l2_ball)(after, resolution);
      ASSERT_TRUE(contains(ball, after));
      if (contains(ball, before)) {
        ASSERT_EQ(after, before);
      }
      for (std::size_t i = 0; i < dimension; ++i) {
        ASSERT_LE(std::abs(after[i]), std::abs(before[i]));
        ASSERT_GE(after[i] * before[i], 0);
      }
    }
  }
}

TEST(ShrinkIntoBall, HoldsAtTheLargestSums) {
  for (const std::int64_t resolution : {std::int64_t{1}, std::int64_t{12345}, kMaxResolution}) {
    Points point(kMaxDimension, std::int64_t{1} << 21);
    shrink_into_l1_ball(point, resolution);
    EXPECT_TRUE((L1Ball{kMaxDimension, resolution}.contains(point)));
    point.assign(kMaxDimension, -(std::int64_t{1} << 21));
    shrink_into_l2_ball(point, resolution);
    EXPECT_TRUE((L2Ball{kMaxDimension, resolution}.contains(point)));
  }
}

}  // namespace
}  // namespace sotto
