// Reports as they leave through the C interface, drawn with the operating system's entropy, follow the law of the
// epsilon that was written down. Randomised response among three codes with epsilon e says the truth with probability
// exp(e)/(exp(e) + 2), which is tested with Pearson's test.
//
// α = 1e-6, 40,000 reports: a law with 1.2 in the place of 1 differs by 0.045, eighteen standard deviations. The
// mutants, reports drawn with another epsilon or always true, must be rejected at 1e-12.
#include <gtest/gtest.h>

#include <cmath>

#include "sotto/client/abi_test.h"
#include "sotto/kernel/goodness_of_fit_test.h"

namespace sotto::client {
namespace {

constexpr std::size_t kReports = 40000;

MechanismSpec three_codes() {
  return spec_of(two_numbers(), CodebookSpec{{-1, 0, 1, 0, 0, 1}}, ChannelFamily::kRandomizedResponse);
}

// How well reports about one record, drawn with `epsilon`, fit the law with epsilon = 1.
double fit_with_one(const char* epsilon) {
  const ReleaseHandle release = open(three_codes(), options_of(epsilon));
  std::vector<float> records;
  for (std::size_t i = 0; i < kReports; ++i) records.insert(records.end(), {1, 0});
  const Bytes reports = privatize(release, records, kReports);
  const Release reader = mechanism_of(three_codes()).release({sotto::epsilon(epsilon)}).value_or_throw();
  std::vector<std::uint64_t> counts(3, 0);
  std::int64_t code = 0;
  for (std::size_t i = 0; i < kReports; ++i) {
    const std::size_t size = reports.size() / kReports;
    EXPECT_TRUE(reader.codec().read_cbor(std::span(reports).subspan(i * size, size), {&code, 1}));
    ++counts[static_cast<std::size_t>(code)];
  }
  const double lie = 1 / (std::exp(1.0) + 2);
  return p_value(counts, {lie, 1 - 2 * lie, lie});
}

TEST(LawThroughTheAbi, IsThatOfTheEpsilonWrittenDown) {
  EXPECT_GT(fit_with_one("1"), kAlpha);
  EXPECT_GT(fit_with_one("2/2"), kAlpha);
}

TEST(LawThroughTheAbi, OfAnotherEpsilonIsRejected) {
  for (const char* mutant : {"1.2", "0.8", "100"}) EXPECT_LT(fit_with_one(mutant), kRejected) << mutant;
}

}  // namespace
}  // namespace sotto::client
