#include "sotto/report/markdown.h"

#include <gtest/gtest.h>

#include "sotto/report/sample_results_test.h"

namespace sotto {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Markdown, SaysWhatWasRunFromWhichCommitAndForHowLong) {
  const std::string text = to_markdown(sample_results());
  EXPECT_TRUE(text.starts_with("# A sample\n\n```\nsotto reproduce sample\n```\n")) << text;
  EXPECT_TRUE(contains(text, "Commit abc1234, 2026-11-16, 1 min 15 s.")) << text;
  EXPECT_TRUE(contains(text, "## Notes\n\n- A note.\n")) << text;
}

TEST(Markdown, MarksWhatReachesThePublishedAndSetsThatInItalics) {
  const std::string text = to_markdown(sample_results());
  EXPECT_TRUE(contains(text, "| mechanism | channel | learner | ε = 10 | ε = 4.2 | no privacy |\n")) << text;
  EXPECT_TRUE(contains(text,
                       "| V-RLM | Laplace | denoising | **87.0 ± 0.5** (+0.9) | 60.0 ± 0.5 (−1.3) | "
                       "**96.0 ± 0.5** (0.0) |\n"))
      << text;
  EXPECT_TRUE(contains(text, "| *V-RLM, published (Man21, Table 1)* |  |  | *86.1* | *61.3* | *96.0* |\n")) << text;
  EXPECT_TRUE(contains(text, "| *any channel* |  |  | *99.2* |\n")) << text;
}

TEST(Markdown, ShowsTextAsItIs) {
  Results results = sample_results();
  results.rows = {{"a|b", "*c*", "<script>", 1.0, "m\n# x", 1, 0, 1, {1}}};
  results.command = "echo ```";
  const std::string text = to_markdown(results);
  EXPECT_TRUE(contains(text, "| a\\|b | \\*c\\* | \\<script\\> |")) << text;
  EXPECT_TRUE(contains(text, "\n## m \\# x\n")) << text;
  EXPECT_TRUE(contains(text, "````\necho ```\n````\n")) << text;
}

TEST(Markdown, DurationsHaveTheUnitsPeopleUse) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(3599), "59 min 59 s");
  EXPECT_EQ(duration_text(12'000), "3 h 20 min");
}

}  // namespace
}  // namespace sotto
