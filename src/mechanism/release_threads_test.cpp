// Run under the thread sanitizer too: threads share a Release or its copies, and the scratch space is each one's own.
#include <gtest/gtest.h>

#include <thread>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

constexpr std::size_t kCount = 500;

std::vector<std::int64_t> reports_of(const Release& release, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  std::vector<float> records;
  for (std::size_t i = 0; i < 2 * kCount; ++i) records.push_back(static_cast<float>(i % 9) / 8 - 0.5F);
  std::vector<std::int64_t> reports(kCount * release.report_length());
  release.privatize(records, {}, kCount, entropy, reports).or_throw();
  return reports;
}

TEST(ReleaseInThreads, GivesEachThreadTheReportsItWouldGetAlone) {
  for (MechanismSpec& spec : a_spec_for_every_family()) {
    SCOPED_TRACE(name_of(spec.channel));
    if (!std::holds_alternative<FeatureBoxSpec>(spec.constraint))
      spec.encoder = Network::make(2, {dense(2, 3, Activation::kTanh), dense(3, 2)}).value_or_throw();
    const Release release = release_of(spec, "2");
    std::vector<std::int64_t> first, second, from_copy;
    std::thread one([&] { first = reports_of(release, 1); });
    std::thread two([&] { second = reports_of(release, 2); });
    std::thread three([&, copy = release] { from_copy = reports_of(copy, 1); });
    one.join();
    two.join();
    three.join();
    EXPECT_EQ(first, reports_of(release, 1));
    EXPECT_EQ(second, reports_of(release, 2));
    EXPECT_EQ(from_copy, first);
    EXPECT_NE(first, second);
  }
}

}  // namespace
}  // namespace sotto
