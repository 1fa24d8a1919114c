#include "sotto/kernel/discrete_laplace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>

#include "sotto/kernel/bernoulli.h"
#include "sotto/kernel/goodness_of_fit_test.h"
#include "sotto/kernel/scripted_entropy_test.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

using Sampler = std::function<std::int64_t(Entropy&)>;

// One million draws, a cell for each integer within 12 scales, α = 1e-6. The mutants below mark what it detects: a
// scale that is 1 % off, a zero that is 2 % too frequent.
double fit_to_laplace(std::uint64_t s, std::uint64_t t, const Sampler& draw) {
  SeededEntropy entropy(s * 1000 + t);
  const double rate = static_cast<double>(s) / static_cast<double>(t);
  const auto reach = static_cast<std::int64_t>(12 / rate) + 2;
  return fit(
      1000000, -reach, reach, [&] { return draw(entropy); },
      [=](std::int64_t x) { return std::tanh(rate / 2) * std::exp(-rate * std::abs(static_cast<double>(x))); });
}

Sampler sampler(std::uint64_t s, std::uint64_t t) {
  return [noise = DiscreteLaplace::make(s, t).value_or_throw()](Entropy& entropy) { return noise.sample(entropy); };
}

const std::pair<std::uint64_t, std::uint64_t> kSmallRates[] = {{1, 3}, {1, 5}, {2, 3},    {1, 1},
                                                               {7, 5}, {5, 1}, {3, 1000}, {700000, 500000}};

TEST(DiscreteLaplace, MatchesItsExactPmfAtSmallScale) {
  for (const auto& [s, t] : kSmallRates) EXPECT_GT(fit_to_laplace(s, t, sampler(s, t)), kAlpha) << s << "/" << t;
}

// One geometric variable of rate s/t, as the sampler builds it.
std::uint64_t geometric(std::uint64_t s, std::uint64_t t, Entropy& entropy) {
  std::uint64_t u = 0;
  do u = uniform_below(t, entropy);
  while (!bernoulli_exp_fraction(u, t, entropy));
  while (bernoulli_exp_one(entropy)) u += t;
  return u / s;
}

Sampler zero_counted_twice_mutant(std::uint64_t s, std::uint64_t t) {
  return [=](Entropy& entropy) {
    const auto magnitude = static_cast<std::int64_t>(geometric(s, t, entropy));
    return (entropy.take<std::uint8_t>() & 1) != 0 ? -magnitude : magnitude;
  };
}

// ⌊X/s⌋ of a signed X instead of its magnitude: everything negative moves down.
Sampler floor_of_signed_mutant(std::uint64_t s, std::uint64_t t) {
  return [=, fine = sampler(1, t)](Entropy& entropy) {
    const std::int64_t x = fine(entropy);
    const auto step = static_cast<std::int64_t>(s);
    return x >= 0 ? x / step : -((-x + step - 1) / step);
  };
}

Sampler biased_sign_mutant(std::uint64_t s, std::uint64_t t) {
  return [draw = sampler(s, t)](Entropy& entropy) {
    const std::int64_t x = draw(entropy);
    return entropy.take<std::uint8_t>() < 3 ? std::abs(x) : x;  // one sign in 170 is wrong
  };
}

// Rounds a continuous Laplace variable, as floating-point libraries do.
Sampler rounded_continuous_mutant(std::uint64_t s, std::uint64_t t) {
  return [=](Entropy& entropy) {
    const double u = (static_cast<double>(entropy.take<std::uint64_t>() >> 11) + 0.5) * 0x1p-53;
    const double scale = static_cast<double>(t) / static_cast<double>(s);
    return std::llround(u < 0.5 ? scale * std::log(2 * u) : -scale * std::log(2 * (1 - u)));
  };
}

TEST(DiscreteLaplace, FitRejectsMutants) {
  for (const auto& [s, t] : {std::pair{1, 3}, {7, 5}}) {
    EXPECT_LT(fit_to_laplace(s, t, zero_counted_twice_mutant(s, t)), kRejected) << s << "/" << t;
    EXPECT_LT(fit_to_laplace(s, t, sampler(s * 95, t * 100)), kRejected) << "scale 5 % too wide " << s << "/" << t;
    EXPECT_LT(fit_to_laplace(s, t, sampler(s * 99, t * 100)), kAlpha) << "scale 1 % too wide " << s << "/" << t;
    EXPECT_LT(fit_to_laplace(s, t, biased_sign_mutant(s, t)), kAlpha) << s << "/" << t;
    EXPECT_LT(fit_to_laplace(s, t, rounded_continuous_mutant(s, t)), kRejected) << s << "/" << t;
  }
  EXPECT_LT(fit_to_laplace(7, 5, floor_of_signed_mutant(7, 5)), kRejected);
}

// The law of a large scale is nearly continuous: 64 equally likely cells, 500,000 draws, α = 1e-6. Detects a scale that
// is 1.5 % off.
double fit_of_large_scale(std::uint64_t s, std::uint64_t t, const Sampler& draw) {
  SeededEntropy entropy(1);
  const double rate = static_cast<double>(s) / static_cast<double>(t);
  const auto cell = [=](std::int64_t x) {
    const double magnitude = std::abs(static_cast<double>(x));
    const double below = 0.5 * std::exp(-rate * magnitude);
    return static_cast<std::int64_t>(64 * (x < 0 ? below : 1 - below));
  };
  return fit(
      500000, 0, 63, [&] { return cell(draw(entropy)); }, [](std::int64_t) { return 1.0 / 64; });
}

TEST(DiscreteLaplace, MatchesItsLawAtLargeScale) {
  constexpr std::uint64_t kOne = 1;
  for (const auto& [s, t] : {std::pair{kOne, kOne << 17},
                             {7 * kOne, 5 * (kOne << 17)},
                             {kOne, kOne << 40},
                             {kOne, (kOne << 55) - 1},
                             {12345678901 * kOne, (kOne << 54) + 7}})
    EXPECT_GT(fit_of_large_scale(s, t, sampler(s, t)), kAlpha) << s << "/" << t;
}

TEST(DiscreteLaplace, LargeScaleFitRejectsAWrongScale) {
  EXPECT_LT(fit_of_large_scale(100, 100 << 17, sampler(95, 100 << 17)), kRejected);
  EXPECT_LT(fit_of_large_scale(1000, 1000 << 17, sampler(985, 1000 << 17)), kAlpha);
}

TEST(DiscreteLaplace, IsZeroWhenTheRateIsHuge) {
  SeededEntropy entropy(1);
  const auto noise = DiscreteLaplace::make((std::uint64_t{1} << 55) - 1, 1).value_or_throw();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(noise.sample(entropy), 0);
}

TEST(DiscreteLaplace, RefusesParametersOutsideItsRange) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 55;
  for (const auto& [s, t] : {std::pair<std::uint64_t, std::uint64_t>{0, 1}, {1, 0}, {kLimit, 1}, {1, kLimit}}) {
    const auto noise = DiscreteLaplace::make(s, t);
    ASSERT_FALSE(noise);
    EXPECT_EQ(noise.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(noise.error().message.find("s = " + std::to_string(s)), std::string::npos);
  }
}

TEST(DiscreteLaplace, KeepsItsLimitFarFromTheScale) {
  constexpr std::uint64_t kOne = 1;
  for (const std::uint64_t s : {kOne, 7 * kOne, kOne << 20, (kOne << 55) - 1})
    for (const std::uint64_t t : {kOne, 5 * kOne, kOne << 20, (kOne << 44) - 1, (kOne << 55) - 1}) {
      const auto limit = static_cast<std::uint64_t>(DiscreteLaplace::make(s, t).value_or_throw().limit());
      EXPECT_GE(limit, static_cast<std::uint64_t>((Uint128{t} << 7) / s)) << s << "/" << t;
      EXPECT_GE(limit, 127U) << s << "/" << t;
      EXPECT_LE(limit, kOne << 62);
    }
}

// With t just below 2^55 the sampler stops after 128 folds. The bytes {0, 255} toss one fold, a true coin exp(−1).
TEST(DiscreteLaplace, ClampsToItsLimitWhereTheFoldsEnd) {
  const auto noise = DiscreteLaplace::make(1, (std::uint64_t{1} << 55) - 1).value_or_throw();
  ScriptedEntropy entropy;
  for (const bool from_largest : {false, true})
    for (const bool negative : {false, true}) {
      std::vector<std::uint8_t> script;
      append(script, from_largest ? ~std::uint64_t{0} : std::uint64_t{1});   // U = t − 1, or 0
      script.insert(script.end(), from_largest ? 7 : 1, std::uint8_t{255});  // the coin U/t fails: U is kept
      for (int fold = 0; fold < 128; ++fold) script.insert(script.end(), {0, 255});
      script.push_back(negative ? 1 : 0);
      entropy.play(script);
      EXPECT_EQ(noise.sample(entropy), negative ? -noise.limit() : noise.limit());
      EXPECT_THROW(entropy.take<std::uint8_t>(), ScriptEnded) << "tossed more folds than it can hold";
    }
}

}  // namespace
}  // namespace sotto
