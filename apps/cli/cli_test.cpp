// The shipped program, run as a person would: what it prints, how it fails, how much memory it takes.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sotto/mechanism/mechanism.h"
#include "sotto/wire/report_codec.h"

namespace sotto {
namespace {

struct Outcome {
  int exit_code;
  std::string output;  // standard output
  std::string errors;  // standard error
};

class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / ("sotto-cli-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
    write("schema.json",
          R"({"input": {"columns": [{"name": "height", "type": "numeric", "minimum": 100, "maximum": 220},
                                    {"name": "weight", "type": "numeric", "minimum": 30, "maximum": 200}]},
              "label": {"name": "smoker", "classes": ["no", "yes"]}})");
    std::string csv = "smoker,height,weight\n";
    for (int i = 0; i < 400; ++i)
      csv += std::string(i % 3 == 0 ? "yes" : "no") + "," + std::to_string(150 + i % 50) + "," +
             std::to_string(50 + i % 37) + "\n";
    write("people.csv", csv);
  }

  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  Outcome run(const std::string& arguments) const {
    const std::string command = "cd " + directory_.string() + " && " SOTTO_PROGRAM " " + arguments + " 2> errors.txt";
    std::FILE* pipe = popen(command.c_str(), "r");
    Outcome outcome{-1, "", ""};
    std::array<char, 4096> buffer{};
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
      outcome.output.append(buffer.data(), got);
    outcome.exit_code = WEXITSTATUS(pclose(pipe));
    outcome.errors = read("errors.txt");
    return outcome;
  }

  void train() const {
    const Outcome trained =
        run("train pca --input people.csv --schema schema.json --dimension 2 --output people.sotto");
    ASSERT_EQ(trained.exit_code, 0) << trained.errors;
  }

  std::filesystem::path directory_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

TEST_F(Cli, EveryCommandHasHelpWithAnExample) {
  for (const char* command :
       {"train pca", "inspect", "privatize", "audit", "data fetch", "version", "completion", "man"}) {
    const Outcome help = run(std::string(command) + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.output.find("Example: "), std::string::npos) << command;
  }
}

TEST_F(Cli, MisuseExitsWithTwoAndNamesParameterValueAndRange) {
  train();
  for (const char* misuse :
       {"", "nonsense", "privatize", "privatize people.sotto", "inspect",
        "privatize people.sotto --epsilon 1 --format xml", "data fetch nothing",
        "train pca --input people.csv --output x.sotto", "audit people.sotto --epsilon 1 --reports 3"})
    EXPECT_EQ(run(misuse).exit_code, 2) << misuse;
  const Outcome epsilon = run("privatize people.sotto --input people.csv --epsilon 1000");
  EXPECT_EQ(epsilon.exit_code, 2);
  EXPECT_NE(epsilon.errors.find("epsilon: must lie between 0.001 and 100, got 1000"), std::string::npos)
      << epsilon.errors;
  EXPECT_EQ(epsilon.output, "");
  for (const char* bad : {"nan", "inf", "0", "-1", "1e400", "one"})
    EXPECT_EQ(run(std::string("privatize people.sotto --input people.csv --epsilon=") + bad).exit_code, 2) << bad;
  EXPECT_EQ(run("privatize people.sotto --input people.csv --epsilon 1 --delta 1e-5").exit_code, 2);
}

TEST_F(Cli, PrivatizeWritesOneReportARecordAllOfOneLength) {
  train();
  const Outcome released = run("privatize people.sotto --input people.csv --epsilon 1.4 --lambda 0.5");
  ASSERT_EQ(released.exit_code, 0) << released.errors;
  const auto lines = lines_of(released.output);
  ASSERT_EQ(lines.size(), 400U);
  const Mechanism mechanism = Mechanism::load(path("people.sotto")).value_or_throw();
  const Release release =
      mechanism.release({Epsilon::parse("1.4").value_or_throw(), Delta::zero(), parse_lambda("1/2").value_or_throw()})
          .value_or_throw();
  std::vector<std::int64_t> values(3);
  for (const std::string& line : lines) {
    EXPECT_EQ(line.size() + 1, release.codec().ndjson_length());
    EXPECT_TRUE(release.codec().read_ndjson(line, values));
  }
  EXPECT_NE(released.errors.find("400 reports"), std::string::npos);
}

TEST_F(Cli, PrivatizeReadsStandardInputAndWritesCbor) {
  train();
  const Outcome direct = run("privatize people.sotto --input - --epsilon 2 --format cbor --quiet < people.csv");
  ASSERT_EQ(direct.exit_code, 0) << direct.errors;
  const Mechanism mechanism = Mechanism::load(path("people.sotto")).value_or_throw();
  const Release release = mechanism.release({Epsilon::parse("2").value_or_throw(), Delta::zero(), {}}).value_or_throw();
  EXPECT_EQ(direct.output.size(), 400 * release.codec().cbor_length());
  EXPECT_EQ(direct.errors, "");
}

TEST_F(Cli, TheSameRecordGivesDifferentReportsUnlessSeeded) {
  train();
  const std::string release = "privatize people.sotto --input people.csv --epsilon 1 --quiet";
  EXPECT_NE(run(release).output, run(release).output);
  EXPECT_EQ(run(release + " --seed 7").output, run(release + " --seed 7").output);
  EXPECT_NE(run(release + " --seed 7").errors.find("protect nobody"), std::string::npos);
}

TEST_F(Cli, AFaultInTheInputLeavesNoOutputFileAndDoesNotQuoteTheRecord) {
  train();
  write("bad.csv", "height,weight\n170,60\n171,secret42\n");
  const Outcome failed = run("privatize people.sotto --input bad.csv --epsilon 1 --output reports.ndjson");
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(path("reports.ndjson")));
  EXPECT_FALSE(std::filesystem::exists(path("reports.ndjson.partial")));
  EXPECT_EQ(failed.errors.find("secret42"), std::string::npos) << failed.errors;
  EXPECT_NE(failed.errors.find("line 3"), std::string::npos) << failed.errors;
}

TEST_F(Cli, ATamperedMechanismIsRefused) {
  train();
  const std::string content = read("people.sotto");
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, content.size() / 2, content.size() - 1}) {
    write("cut.sotto", content.substr(0, length));
    const Outcome outcome = run("inspect cut.sotto");
    EXPECT_EQ(outcome.exit_code, 1) << length;
    EXPECT_NE(outcome.errors.find("mechanism file"), std::string::npos) << outcome.errors;
  }
}

TEST_F(Cli, SpeaksJson) {
  train();
  const auto inspected = nlohmann::json::parse(run("inspect people.sotto --epsilon 1 --json").output);
  EXPECT_EQ(inspected.at("mechanism").at("channel"), "lattice_laplace");
  EXPECT_TRUE(inspected.at("release").contains("claim"));
  EXPECT_TRUE(nlohmann::json::parse(run("version --json").output).contains("version"));
  const Outcome released = run("privatize people.sotto --input people.csv --epsilon 1 --json");
  EXPECT_EQ(nlohmann::json::parse(released.errors).at("records"), 400);
}

TEST_F(Cli, AuditPassesAnHonestMechanismAndSaysHowHardItTried) {
  train();
  const Outcome outcome = run("audit people.sotto --epsilon 1 --lambda 0.5 --reports 20000 --seed 1 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors << outcome.output;
  const auto audit = nlohmann::json::parse(outcome.output);
  EXPECT_TRUE(audit.at("passed"));
  EXPECT_GE(audit.at("empirical").at("reports"), 20000);
  EXPECT_EQ(audit.at("constraint").at("escapes"), 0);
  bool tight = false;
  for (const auto& exact : audit.at("exact")) tight = tight || exact.at("tight").get<bool>();
  EXPECT_TRUE(tight);
}

TEST_F(Cli, MemoryDoesNotGrowWithTheInput) {
  train();
  const auto peak_of = [&](int rows) {
    std::string csv = "height,weight\n";
    for (int i = 0; i < rows; ++i) csv += "170,60\n";
    write("long.csv", csv);
    const pid_t child = fork();
    if (child == 0) {
      (void)!freopen("/dev/null", "w", stdout);
      execl(SOTTO_PROGRAM, "sotto", "privatize", path("people.sotto").c_str(), "--input", path("long.csv").c_str(),
            "--epsilon", "1", "--quiet", nullptr);
      _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return usage.ru_maxrss;
  };
  const long small = peak_of(1000);
  const long large = peak_of(500000);
  EXPECT_LT(large, small + 2048) << "kilobytes";
}

TEST_F(Cli, CompletionIsValidShellAndKnowsEveryCommand) {
  const Outcome completion = run("completion");
  write("completion.sh", completion.output);
  EXPECT_EQ(std::system(("bash -n " + path("completion.sh")).c_str()), 0);
  for (const char* word : {"privatize", "audit", "inspect", "--epsilon", "'sotto data fetch'"})
    EXPECT_NE(completion.output.find(word), std::string::npos) << word;
  EXPECT_NE(run("man").output.find(".SH sotto privatize"), std::string::npos);
}

}  // namespace
}  // namespace sotto
