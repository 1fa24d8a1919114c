#include "sotto/channel/channel.h"

#include <gtest/gtest.h>

#include "sotto/channel/distant_codes_test.h"
#include "sotto/channel/duchi.h"
#include "sotto/channel/exhaustion_test.h"
#include "sotto/channel/exponential.h"
#include "sotto/channel/feature_laplace.h"
#include "sotto/channel/hadamard_response.h"
#include "sotto/channel/hyperplane_response.h"
#include "sotto/channel/lattice_gaussian.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/channel/subset_selection.h"
#include "sotto/kernel/scripted_entropy_test.h"

namespace sotto {
namespace {

// What every exact channel has to do, tried on one of each.
struct Case {
  const char* name;
  std::function<std::unique_ptr<Channel>()> make;
};

const Case kCases[] = {
    {"LatticeLaplace",
     [] {
       return make_lattice_laplace({3, 1000}, epsilon_of("1.4")).value_or_throw();
     }},
    {"LatticeGaussian",
     [] {
       return make_lattice_gaussian({3, 1000}, epsilon_of("1"), Delta::parse("1e-5").value_or_throw()).value_or_throw();
     }},
    {"RandomizedResponse", [] { return make_randomized_response(10, epsilon_of("1")).value_or_throw(); }},
    {"SubsetSelection", [] { return make_subset_selection(10, epsilon_of("1")).value_or_throw(); }},
    {"HadamardResponse", [] { return make_hadamard_response(10, epsilon_of("1")).value_or_throw(); }},
    {"Exponential", [] { return make_exponential(codes_on_a_line(10), epsilon_of("1")).value_or_throw(); }},
    {"HyperplaneResponse",
     [] {
       return make_hyperplane_response({3, 1000}, epsilon_of("1")).value_or_throw();
     }},
    {"Duchi",
     [] {
       return make_duchi({{{5, true}, {9, true}, {2, true}}}, epsilon_of("1")).value_or_throw();
     }},
    {"FeatureLaplace",
     [] {
       return make_feature_laplace({{{5, true}, {9, false}, {2, true}}}, epsilon_of("1")).value_or_throw();
     }},
};

class ExactChannel : public testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Channel> channel_ = GetParam().make();
  Integers inside_ = Integers(point_length(channel_->domain()), 1);
};
INSTANTIATE_TEST_SUITE_P(All, ExactChannel, testing::ValuesIn(kCases),
                         [](const auto& test) { return test.param.name; });

TEST_P(ExactChannel, SaysThatItIsExactAndWhereThatIsProven) {
  EXPECT_EQ(channel_->claim().exactness, Exactness::kExact);
  EXPECT_EQ(channel_->claim().proof.find("docs/proofs/"), 0U);
}

TEST_P(ExactChannel, DrawsNothingForAPointOutsideItsDomain) {
  UntouchedEntropy entropy;
  Integers report(channel_->report_length(), 77);
  std::vector<Integers> outside;
  for (const std::int64_t extreme :
       {std::int64_t{-1001}, std::int64_t{1001}, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max()}) {
    outside.push_back(inside_);
    outside.back().back() = extreme;
  }
  outside.push_back({});
  outside.push_back(inside_);
  outside.back().push_back(0);
  for (const Integers& point : outside) {
    try {
      channel_->sample(point, entropy, report);
      ADD_FAILURE() << "a point outside the domain was accepted";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.error().code, ErrorCode::kInvalidArgument);
    } catch (const ScriptEnded&) {
    }
    EXPECT_EQ(channel_->log_likelihood(report, point), -std::numeric_limits<double>::infinity());
  }
  EXPECT_EQ(report, Integers(channel_->report_length(), 77));
}

TEST_P(ExactChannel, DrawsNothingIntoAReportOfAnotherLength) {
  UntouchedEntropy entropy;
  for (const std::size_t wrong : {std::size_t{0}, channel_->report_length() - 1, channel_->report_length() + 1}) {
    Integers report(wrong, 77);
    EXPECT_THROW(channel_->sample(inside_, entropy, report), Failure);
    EXPECT_EQ(report, Integers(wrong, 77));
  }
}

TEST_P(ExactChannel, StaysWithinItsReportRanges) {
  Entropy entropy;
  Integers report(channel_->report_length());
  for (int i = 0; i < 20000; ++i) {
    channel_->sample(inside_, entropy, report);
    ASSERT_TRUE(channel_->is_possible(report));
    ASSERT_GT(channel_->log_likelihood(report, inside_), -std::numeric_limits<double>::infinity());
  }
}

// The first bytes are there, the operating system refuses the next ones.
class DryingEntropy final : public Entropy {
 private:
  void fill(std::span<std::uint8_t> bytes) override {
    if (std::exchange(is_dry_, true)) throw Failure({ErrorCode::kEntropyFailure, "dry"});
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0x5A});
  }
  bool is_dry_ = false;
};

TEST_P(ExactChannel, PassesOnAFailureOfEntropyWheneverItComes) {
  DryingEntropy entropy;
  Integers report(channel_->report_length());
  bool failed = false;
  for (int i = 0; i < 10000 && !failed; ++i) {
    try {
      channel_->sample(inside_, entropy, report);
    } catch (const Failure& failure) {
      failed = failure.error().code == ErrorCode::kEntropyFailure;
    }
  }
  EXPECT_TRUE(failed);
}

TEST_P(ExactChannel, RefusesToLearnFromImpossibleReports) {
  std::vector<double> estimate(channel_->estimate_length());
  Entropy entropy;
  Integers report(channel_->report_length());
  channel_->sample(inside_, entropy, report);
  EXPECT_NO_THROW(channel_->estimate(report, estimate));
  for (std::size_t i = 0; i < report.size(); ++i)
    for (const std::int64_t beyond : {channel_->report_ranges()[i].low - 1, channel_->report_ranges()[i].high + 1,
                                      std::numeric_limits<std::int64_t>::min()}) {
      Integers impossible = report;
      impossible[i] = beyond;
      EXPECT_FALSE(channel_->is_possible(impossible));
      EXPECT_THROW(channel_->estimate(impossible, estimate), Failure);
      EXPECT_EQ(channel_->log_likelihood(impossible, inside_), -std::numeric_limits<double>::infinity());
    }
  report.push_back(0);
  EXPECT_FALSE(channel_->is_possible(report));
  report.resize(report.size() - 1);
  estimate.push_back(0);
  EXPECT_THROW(channel_->estimate(report, estimate), Failure);
}

TEST_P(ExactChannel, DrawsAnewEachTime) {
  Entropy entropy;
  Integers first(channel_->report_length()), again(channel_->report_length());
  bool differs = false;
  for (int i = 0; i < 200 && !differs; ++i) {
    channel_->sample(inside_, entropy, first);
    channel_->sample(inside_, entropy, again);
    differs = first != again;
  }
  EXPECT_TRUE(differs);
}

// ---- the exhaustive check itself

// Randomised response on two categories by a plain formula, with the odds of the truth given.
std::unique_ptr<Channel> flip(double odds) {
  return std::make_unique<PmfChannel>(
      Product::categories(2), epsilon_of("1"), std::vector<Range>{{0, 1}},
      [=](Report report, Point point) { return (report[0] == point[0] ? odds : 1) / (odds + 1); });
}

TEST(Exhaustion, AcceptsTheExactOddsAndRejectsSlightlyMore) {
  const double e = std::exp(1.0);
  EXPECT_LE(exhaust(*flip(e), epsilon_of("1")).log_ratio, 1 + kRounding);
  EXPECT_GT(exhaust(*flip(e * 1.0001), epsilon_of("1")).log_ratio, 1 + kRounding);
  EXPECT_GT(exhaust(*flip(e * 1.0001), epsilon_of("1")).hockey_stick, kRounding);
}

TEST(Exhaustion, RejectsALabelThatIsAlwaysTrue) {
  EXPECT_EQ(exhaust(*flip(std::numeric_limits<double>::max()), epsilon_of("1")).hockey_stick, 1);
}

TEST(Exhaustion, RejectsALastCoordinateWithoutNoise) {
  const auto honest = make_lattice_laplace({1, 1}, epsilon_of("6")).value_or_throw();
  const Range window = honest->report_ranges()[0];
  const PmfChannel leaking(L1Ball{2, 1}, epsilon_of("6"), {window, window}, [&](Report report, Point point) {
    return report[1] == point[1] ? std::exp(honest->log_likelihood(report.first(1), point.first(1))) : 0;
  });
  const Exhaustion found = exhaust(leaking, epsilon_of("6"));
  EXPECT_GT(found.log_ratio, 1e300);
  EXPECT_NEAR(found.hockey_stick, 1, 1e-9);
}

TEST(Exhaustion, RejectsALawThatDoesNotSumToOne) {
  const PmfChannel wrong(Product::categories(2), epsilon_of("1"), {{0, 1}}, [](Report, Point) { return 0.4; });
  EXPECT_NEAR(exhaust(wrong, epsilon_of("1")).total_error, 0.2, 1e-12);
}

}  // namespace
}  // namespace sotto
