#include "sotto/plan/code_plan.h"

#include <gtest/gtest.h>

#include "sotto/data/blobs_test.h"
#include "sotto/plan/stand_in_classes.h"

namespace sotto {
namespace {

CodePlanOptions options_with(std::vector<const char*> epsilons, std::size_t reports) {
  CodePlanOptions options;
  for (const char* text : epsilons) options.epsilons.push_back(Epsilon::parse(text).value_or_throw());
  options.reports = reports;
  options.codes = {4, 8, 16};
  options.repeats = 4;
  return options;
}

class Plan : public testing::Test {
 protected:
  Result<CodePlan> plan(const CodePlanOptions& options) const { return plan(4, options); }

  Result<CodePlan> plan(std::size_t classes, const CodePlanOptions& options) const {
    const auto find = [&](std::size_t codes) {
      return assign_codes(blobs_.values, blobs_.width, {.codes = codes, .seed = options.seed});
    };
    return plan_codes(find, {blobs_.values, blobs_.width, blobs_.labels, classes}, options, [](const Prediction&) {});
  }

  Dataset blobs_ = make_blobs(400, 1);
};

TEST_F(Plan, PrefersFewCodesAndTheWholeEpsilonWhenReportsSayLittle) {
  const CodePlan made = plan(options_with({"0.5", "6"}, 800)).value_or_throw();
  ASSERT_EQ(made.best.size(), 2U);
  EXPECT_EQ(made.predictions.size(), 8U) << "two epsilons, three numbers of codes joint, the best of them split";
  EXPECT_EQ(made.best[0].codes, 4U);
  EXPECT_TRUE(made.best[0].release.joint);
  EXPECT_EQ(made.best[1].low, 1) << "with six every way works";
  EXPECT_EQ(made.best[1].codes, 16U) << "and of these the one with the finest codes is taken";
  for (const Prediction& prediction : made.predictions) {
    EXPECT_LE(prediction.low, prediction.mean);
    EXPECT_LE(prediction.mean, prediction.high);
    EXPECT_GT(prediction.information, 0);
  }
  EXPECT_GT(made.best[1].information, made.best[0].information);
}

TEST_F(Plan, PrefersCodesEnoughToTellTheClassesApart) {
  // Two classes which no two clusters follow: kinds 0 and 2 against 1 and 3, told apart by four codes or more.
  for (std::int32_t& label : blobs_.labels) label %= 2;
  CodePlanOptions options = options_with({"4"}, 1000);
  options.codes = {2, 4};
  const CodePlan made = plan(2, options).value_or_throw();
  EXPECT_EQ(made.best[0].codes, 4U);
  EXPECT_EQ(made.best[0].mean, 1);
}

TEST_F(Plan, WithStandInsPredictsWhatItWouldWithTheLabels) {
  const CodePlan with_labels = plan(options_with({"2"}, 500)).value_or_throw();
  blobs_.labels = stand_in_classes(blobs_.values, blobs_.width, 4, 1);
  const CodePlan with_stand_ins = plan(options_with({"2"}, 500)).value_or_throw();
  EXPECT_NEAR(with_labels.best[0].mean, with_stand_ins.best[0].mean, 0.05);
}

TEST_F(Plan, NamesWhatIsWrong) {
  EXPECT_FALSE(plan(options_with({}, 500)));
  EXPECT_FALSE(plan(options_with({"1"}, 19)));
  CodePlanOptions once = options_with({"1"}, 500);
  once.repeats = 1;
  EXPECT_FALSE(plan(once));
  blobs_.labels.back() = 4;
  const auto refused = plan(options_with({"1"}, 500));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "labels: must be below 4, the number of classes");
  blobs_.labels.pop_back();
  EXPECT_FALSE(plan(options_with({"1"}, 500)));
}

}  // namespace
}  // namespace sotto
