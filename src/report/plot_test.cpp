#include "sotto/report/plot.h"

#include <gtest/gtest.h>

#include "sotto/report/sample_results_test.h"

namespace sotto {
namespace {

TEST(Plot, HasRisingEpsilonsWithNoPrivacyLast) {
  const Plot plot = plots_of(sample_results())[0];
  const std::vector<PlotPoint> expected = {{4.2, 60.0, 0.5}, {10.0, 87.04, 0.5}, {std::nullopt, 96.0, 0.5}};
  EXPECT_EQ(plot.series[0].points, expected);
  EXPECT_EQ(plot.y_label, "clean accuracy, %");
}

TEST(Plot, GivesAPublishedCurveTheColourOfOursAndNoLabelOfItsOwn) {
  const Plot plot = plots_of(sample_results())[0];
  ASSERT_EQ(plot.series.size(), 4U);
  const PlotSeries &ours = plot.series[0], &alone = plot.series[1], &beside = plot.series[2], &other = plot.series[3];
  EXPECT_EQ(ours.name, "V-RLM");
  EXPECT_EQ(beside.name, "V-RLM, published");
  EXPECT_EQ(beside.kind, SeriesKind::kPublished);
  EXPECT_EQ(beside.colour, ours.colour);
  EXPECT_FALSE(beside.has_label);
  EXPECT_EQ(other.name, "PCA, published");
  EXPECT_TRUE(other.has_label);
  EXPECT_NE(other.colour, ours.colour);
  EXPECT_NE(other.colour, alone.colour);
  EXPECT_NE(alone.colour, ours.colour);
}

TEST(Plot, NamesWhatTellsCurvesOfOneMechanismApart) {
  Results results = sample_results();
  results.rows.push_back(results.rows[0]);
  results.rows.back().learner = "student";
  const Plot plot = plots_of(results)[0];
  EXPECT_EQ(plot.series[0].name, "V-RLM, denoising");
  EXPECT_EQ(plot.series[2].name, "V-RLM, student");
  EXPECT_EQ(plot.series[1].name, "ours alone");
}

TEST(Plot, HasTheCeilingsOfItsMetricAsDenselyAsTheyAre) {
  const std::vector<Plot> plots = plots_of(sample_results());
  const PlotSeries& ceiling = plots[1].series.back();
  EXPECT_EQ(ceiling.kind, SeriesKind::kCeiling);
  EXPECT_EQ(ceiling.points.size(), 2U);
  for (const PlotSeries& series : plots[0].series) EXPECT_NE(series.kind, SeriesKind::kCeiling);
}

}  // namespace
}  // namespace sotto
