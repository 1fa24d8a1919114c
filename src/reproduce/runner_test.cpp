// A whole experiment on 8 × 8 images of four kinds, small enough for seconds: what it gives, and that it gives the same
// after an interruption.
#include "sotto/reproduce/runner.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <utility>

#include "sotto/backprop/random.h"
#include "sotto/privacy/scratch_file_test.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;
using Runner = ScratchFile;

constexpr const char* kExperiment = R"toml(
name = "bars"
title = "Bars"
epsilons = [20, 1]
trials = 2

[[series]]
mechanism = "PCA"
channel = "Laplace"
learner = "Eq. 12"
encoder = "pca"
dimension = 3
learn = "label-noise"
classifier_hidden = [200]
no_privacy = {}

[[series]]
mechanism = "V-RLM"
channel = "Laplace"
learner = "Eq. 11"
dimension = 3
hidden = [16]
epsilon_pretrain = 20
epochs = 2
classifier_hidden = [8]

[[series]]
mechanism = "Duchi"
encoder = "identity"
noise = "duchi"
learn = "label-noise"
classifier_hidden = []
)toml";
constexpr std::size_t kCells = 2 * (3 + 2 + 2);

Dataset make_bars(std::size_t rows, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  Dataset data{rows, 64, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t kind = row % 4;
    data.labels.push_back(static_cast<std::int32_t>(kind));
    for (std::size_t i = 0; i < 64; ++i) {
      const bool bright = (kind < 2 ? i / 8 : i % 8) / 4 == kind % 2;
      data.values.push_back((bright ? 0.6F : 0.0F) + 0.4F * draw_uniform(entropy));
    }
  }
  return data;
}

const LabelledData& bars() {
  static const LabelledData data{{ImageShape{1, 8, 8}, {}}, make_bars(1600, 1), make_bars(200, 2), 4};
  return data;
}

struct Interruption : std::runtime_error {
  Interruption() : std::runtime_error("interrupted") {}
};

bool tells_of_a_cell(const std::string& line) { return line.starts_with("["); }

Results run(const char* text, const fs::path& work, std::function<void(const std::string&)> progress,
            const std::string& commit = "abc") {
  RunOptions options;
  options.work = work;
  options.commit = commit;
  options.progress = std::move(progress);
  const Experiment experiment = parse_experiment(text, false).value_or_throw();
  return run_experiment(experiment, bars(), options).value_or_throw();
}

// Stops after so many finished cells.
Results run(const fs::path& work, std::size_t most_cells = 1000) {
  std::size_t cells = 0;
  return run(kExperiment, work, [&](const std::string& line) {
    if (tells_of_a_cell(line) && ++cells >= most_cells) throw Interruption();
  });
}

std::vector<double> numbers_of(const Results& results) {
  std::vector<double> numbers;
  for (const ResultRow& row : results.rows) numbers.insert(numbers.end(), row.values.begin(), row.values.end());
  return numbers;
}

std::vector<fs::path> cells_in(const fs::path& work) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(work / "cells")) paths.push_back(entry.path());
  return paths;
}

TEST_F(Runner, GivesARowForEachCellAndTheSameNumbersAfterInterruptions) {
  const Results whole = run(directory_ / "whole");
  EXPECT_EQ(whole.name, "bars");
  EXPECT_EQ(whole.notes.back(), "Seeds of the trials: 1 to 2.");
  ASSERT_EQ(whole.rows.size(), 7U);
  for (const ResultRow& row : whole.rows) {
    EXPECT_EQ(row.trials, 2);
    ASSERT_EQ(row.values.size(), 2U);
    EXPECT_NEAR(row.mean, (row.values[0] + row.values[1]) / 2, 1e-9);
  }
  EXPECT_GT(whole.rows[2].mean, 90) << "PCA without privacy";
  EXPECT_GT(whole.rows[0].mean, whole.rows[1].mean + 20) << "epsilon 20 against epsilon 1";

  for (const std::size_t stop : {1, 4, 9}) EXPECT_THROW(run(directory_ / "often", stop), Interruption);
  EXPECT_EQ(cells_in(directory_ / "often").size(), 9U);
  EXPECT_EQ(numbers_of(run(directory_ / "often")), numbers_of(whole));
}

TEST_F(Runner, NamesEveryCommitThatACellIsFrom) {
  EXPECT_THROW(run(directory_, 3), Interruption);
  EXPECT_EQ(run(
                kExperiment, directory_, [](const std::string&) {}, "def")
                .commit,
            "abc, def");
  EXPECT_EQ(run(
                kExperiment, directory_ / "fresh", [](const std::string&) {}, "def")
                .commit,
            "def");
}

// One cell of each way to train an encoder.
constexpr const char* kTrained = R"toml(
name = "trained"
epsilons = [12]
trials = 1

[[series]]
mechanism = "V-RLM"
dimension = 3
hidden = [16]
epsilon_pretrain = 20
epochs = 4
learn = "denoising"

[[series]]
mechanism = "aligned RLM"
encoder = "aligned"
label = "joint"
dimension = 3
hidden = [16]
l1_radius = 1
epochs = 2
codes = 4
contrastive_epochs = 2
learn = "codes"
)toml";

TEST_F(Runner, GivesTheSameNumbersWhenInterruptedAfterAnyEpochOfTraining) {
  std::size_t lines = 0;
  const auto count = [&](const std::string& line) { lines += tells_of_a_cell(line) ? 0 : 1; };
  const auto expected = numbers_of(run(kTrained, directory_ / "whole", count));
  EXPECT_EQ(lines, 4U + 2U + 2U);  // epochs of V-RLM, of the contrastive and of the aligned encoder
  ASSERT_EQ(expected.size(), 2U);
  EXPECT_GT(expected[1], 50) << "chance is 25";
  std::size_t interruptions = 0, next = 1;
  std::vector<double> numbers;
  while (numbers.empty() && interruptions < 20) {
    std::size_t line = 0;
    try {
      numbers = numbers_of(run(kTrained, directory_ / "often", [&](const std::string&) {
        if (++line == next) throw Interruption();
      }));
    } catch (const Interruption&) {
      ++interruptions;
      if (interruptions % 2 == 0) ++next;  // twice at the first line, twice at the second, and so on
    }
  }
  EXPECT_GE(interruptions, 6U);
  EXPECT_EQ(numbers, expected);
}

TEST_F(Runner, ComputesADamagedCellAgainAndLeavesTheOthers) {
  const auto expected = numbers_of(run(directory_ / "work"));
  const auto cells = cells_in(directory_ / "work");
  ASSERT_EQ(cells.size(), kCells);
  std::size_t damaged = 0;
  for (const char* rubbish :
       {"", "{", "[]", "{\"accuracy\":50}", R"({"accuracy":50,"seconds":1})",
        R"({"accuracy":"50","seconds":1,"commit":"abc"})", R"({"accuracy":null,"seconds":null,"commit":null})"})
    std::ofstream(cells[damaged++], std::ios::trunc) << rubbish;
  const auto untouched = fs::last_write_time(cells.back());
  EXPECT_EQ(numbers_of(run(directory_ / "work")), expected);
  EXPECT_EQ(fs::last_write_time(cells.back()), untouched);
  EXPECT_EQ(cells_in(directory_ / "work").size(), kCells);
}

TEST(KeptRows, CompleteATableInTheOrderOfItsDeclarationAndNameTheirCommit) {
  Experiment experiment;
  experiment.series.resize(2);
  experiment.series[0].mechanism = "a";
  experiment.series[0].cells = {{1.0, {}}, {2.0, {}}};
  experiment.series[1].mechanism = "b";
  experiment.series[1].cells = {{1.0, {}}};
  const auto row = [&](const char* mechanism, double epsilon, double mean, const char* commit) {
    return ResultRow{mechanism, "", "", epsilon, std::string(name_of(experiment.metric)), mean, 0, 1, {mean}, commit};
  };
  Results earlier, results;
  earlier.commit = "old";
  earlier.seconds = 5;
  earlier.rows = {row("b", 1, 10, ""), row("a", 2, 20, "older"), row("a", 1, 30, ""), row("gone", 1, 40, "")};
  results.commit = "new";
  results.seconds = 1;
  results.rows = {row("b", 1, 50, "new")};
  keep_earlier_rows(experiment, earlier, results);
  EXPECT_EQ(results.rows, (std::vector{row("a", 1, 30, "old"), row("a", 2, 20, "older"), row("b", 1, 50, "new")}));
  EXPECT_EQ(results.commit, "new, old, older");
  EXPECT_EQ(results.seconds, 6);
}

TEST_F(Runner, TrustsAFinishedCell) {
  run(directory_ / "work");
  for (const auto& cell : cells_in(directory_ / "work"))
    std::ofstream(cell, std::ios::trunc) << R"({"accuracy":12.5,"seconds":1,"commit":"abc"})";
  for (const double number : numbers_of(run(directory_ / "work"))) EXPECT_EQ(number, 12.5);
}

}  // namespace
}  // namespace sotto
