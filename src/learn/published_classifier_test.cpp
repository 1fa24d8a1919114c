#include "sotto/learn/published_classifier.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

// Of two numbers, whichever of the first, the second and minus their sum is largest.
const std::vector<float> kLargestOfThree{1, 0, 0, 1, -1, -1};

Classifier linear(const std::vector<float>& weights) {
  const DenseLayer layer{2, 3, weights, {0, 0, 0}, Activation::kNone};
  return {ClassifierInput::kRecord, Network::make(2, {layer}).value_or_throw(), "id", {"a", "b", "c"}, {}};
}

// The share of records of three kinds, equally frequent, whose report names the kind.
double share_right(const Classifier& classifier, const char* text) {
  constexpr std::size_t kRecords = 6000;
  const std::vector<float> kinds{0.9F, 0.1F, 0.2F, 0.8F, -0.5F, -0.6F};
  std::vector<float> records;
  for (std::size_t i = 0; i < kRecords; ++i) records.insert(records.end(), {kinds[i % 3 * 2], kinds[i % 3 * 2 + 1]});
  SeededEntropy entropy(1);
  const ReportBatch reports =
      published_reports(classifier, two_numbers(), epsilon(text), records, kRecords, entropy).value_or_throw();
  EXPECT_EQ(reports.release().claim().epsilon, epsilon(text));
  double right = 0;
  for (std::size_t i = 0; i < kRecords; ++i) right += reports[i][0] == static_cast<std::int64_t>(i % 3) ? 1 : 0;
  return right / kRecords;
}

// e²/(e² + 2) = 0.787; 6,000 records leave a standard deviation of 0.005.
bool is_what_epsilon_two_allows(double share) { return std::abs(share - 0.787) < 0.02; }

TEST(PublishedClassifier, ReportsThePredictedClassAsOftenAsRandomisedResponseAllows) {
  EXPECT_TRUE(is_what_epsilon_two_allows(share_right(linear(kLargestOfThree), "2")));
  EXPECT_FALSE(is_what_epsilon_two_allows(share_right(linear(kLargestOfThree), "1.8")));
  EXPECT_FALSE(is_what_epsilon_two_allows(share_right(linear(kLargestOfThree), "2.2")));
  EXPECT_FALSE(is_what_epsilon_two_allows(share_right(linear({0, 1, 1, 0, -1, -1}), "2")))
      << "two kinds changed places";
}

TEST(PublishedClassifier, IsOneOfRecordsAsTheyAre) {
  Classifier classifier = linear(kLargestOfThree);
  EXPECT_FALSE(published_classifier(classifier, one_category()));
  classifier.input = ClassifierInput::kRepresentation;
  const auto refused = published_classifier(classifier, two_numbers());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("publish: a device needs a classifier of records"), std::string::npos);
}

}  // namespace
}  // namespace sotto
