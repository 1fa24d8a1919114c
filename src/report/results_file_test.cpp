#include "sotto/report/results_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sotto/report/sample_results_test.h"

namespace sotto {
namespace {

TEST(ResultsFile, ReadsBackWhatItWrote) {
  const Results results = sample_results();
  EXPECT_EQ(results_from_json(results_to_json(results).value_or_throw()).value_or_throw(), results);
}

TEST(ResultsFile, KeepsHostileTextAndAwkwardNumbers) {
  Results results = sample_results();
  results.title = "\"quoted\" \\ \n\t </script> ε";
  results.rows[0].mean = 0.1 + 0.2;
  results.seconds = 1e-300;
  EXPECT_EQ(results_from_json(results_to_json(results).value_or_throw()).value_or_throw(), results);
}

TEST(ResultsFile, HasTheRowsThatOthersRead) {
  const auto document = nlohmann::json::parse(results_to_json(sample_results()).value_or_throw());
  const auto& row = document.at("rows").at(2);
  EXPECT_EQ(row.at("mechanism"), "V-RLM");
  EXPECT_EQ(row.at("channel"), "Laplace");
  EXPECT_EQ(row.at("learner"), "denoising");
  EXPECT_TRUE(row.at("epsilon").is_null());
  EXPECT_EQ(row.at("metric"), "clean accuracy");
  EXPECT_EQ(row.at("mean"), 96.0);
  EXPECT_EQ(row.at("sd"), 0.5);
  EXPECT_EQ(row.at("trials"), 3);
  EXPECT_EQ(row.at("values").size(), 3U);
}

TEST(ResultsFile, HasOneRowALine) {
  const std::string text = results_to_json(sample_results()).value_or_throw();
  for (std::size_t at = text.find("\"channel\""); at != std::string::npos; at = text.find("\"channel\"", at + 1))
    EXPECT_LT(text.rfind('\n', at), text.rfind('{', at));
}

TEST(ResultsFile, RefusesWhatJsonCannotSay) {
  Results results = sample_results();
  results.rows[0].sd = std::nan("");
  EXPECT_FALSE(results_to_json(results));
  results = sample_results();
  results.rows[0].values[1] = INFINITY;
  EXPECT_FALSE(results_to_json(results));
  results = sample_results();
  results.notes = {"\xff"};
  EXPECT_FALSE(results_to_json(results));
}

TEST(ResultsFile, RefusesWhatAreNotResults) {
  EXPECT_FALSE(results_from_json(""));
  EXPECT_FALSE(results_from_json("[]"));
  EXPECT_FALSE(results_from_json("{}"));
  const std::string text = results_to_json(sample_results()).value_or_throw();
  EXPECT_FALSE(results_from_json(text.substr(0, text.size() / 2)));
  auto document = nlohmann::json::parse(text);
  document["rows"][0]["mean"] = "86.1";
  const auto wrong = results_from_json(document.dump());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kCorruptFile);
}

TEST(ResultsFile, WritesAndReadsFilesAndNamesTheOneItCannot) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "results_file_test.json";
  ASSERT_TRUE(write_results(path, sample_results()));
  EXPECT_EQ(read_results(path).value_or_throw(), sample_results());
  ASSERT_TRUE(write_text(path, "nonsense"));
  const auto broken = read_results(path);
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("results_file_test.json"), std::string::npos);
  std::filesystem::remove(path);
  const auto absent = read_results(path);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace sotto
