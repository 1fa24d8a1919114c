// The shipped program, run as a person would: what it prints, how it fails, how much memory it takes.
#include <sys/resource.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program_test.h"
#include "sotto/data/dataset.h"
#include "sotto/data/open_source.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/wire/report_codec.h"

namespace sotto {
namespace {

class Cli : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
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

  void train() const {
    const Outcome trained =
        run("train pca --input people.csv --schema schema.json --dimension 2 --output people.sotto");
    ASSERT_EQ(trained.exit_code, 0) << trained.errors;
  }

  // Without a decoder, as mechanisms were before there was one.
  void make_plain() const {
    MechanismSpec spec = Mechanism::load(path("people.sotto")).value_or_throw().spec();
    spec.decoder.reset();
    Mechanism::make(spec).value_or_throw().save(path("plain.sotto")).or_throw();
  }

  // Two numbers and two categories, all of which need quotes, behind an identity.
  MechanismSpec awkward_spec() const {
    const InputSchema input{std::nullopt,
                            {{"a, \"b\"", Column::Kind::kNumeric, 0, 1, {}},
                             {" c", Column::Kind::kNumeric, -2, 0.1, {}},
                             {"d", Column::Kind::kCategorical, 0, 1, {"", "x,y", "\"z\"\n", " w "}}}};
    Network identity = Network::make(3, {}).value_or_throw();
    return {input,
            LabelSchema{"class, of what", {"", "\"", "ü"}},
            identity,
            L1LatticeSpec{3, 64},
            ChannelFamily::kLatticeLaplace,
            {},
            Decoder{identity, OutputMap::kNone}};
  }

  // The memory, in kilobytes, that a release of so many records takes at most. A child begins with its parent's memory,
  // which counts: so the file is not made in memory.
  long peak_of(int rows, const std::vector<std::string>& more) const {
    {
      std::ofstream csv(path("long.csv"));
      csv << "height,weight\n";
      for (int i = 0; i < rows; ++i) csv << "170,60\n";
    }
    std::vector<std::string> words = {
        "sotto", "privatize", path("people.sotto"), "--input", path("long.csv"), "--epsilon", "1", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      (void)!freopen("/dev/null", "w", stdout);
      execv(SOTTO_PROGRAM, arguments.data());
      _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return usage.ru_maxrss;
  }
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
       {"train pca", "train vrlm",     "train codes",    "train crlm",   "train aligned", "train directions", "inspect",
        "privatize", "reports import", "reports export", "reports list", "learn",         "evaluate",         "tune",
        "audit",     "reproduce",      "demo",           "data fetch",   "version",       "completion",       "man"}) {
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
  EXPECT_EQ(audit.at("verdict"), "stands");
  EXPECT_GE(audit.at("empirical").at("reports"), 20000);
  EXPECT_EQ(audit.at("constraint").at("escapes"), 0);
  bool tight = false;
  for (const auto& exact : audit.at("exact")) tight = tight || exact.at("tight").get<bool>();
  EXPECT_TRUE(tight);
}

TEST_F(Cli, AuditDoesNotPassWhatItSkippedForItsSize) {
  train();
  const std::string attack = "audit people.sotto --epsilon 0.001 --lambda 0.01 --reports 8000 --seed 1";
  const Outcome text = run(attack);
  EXPECT_EQ(text.exit_code, 1) << text.output;
  EXPECT_NE(text.output.find("exact: SKIPPED"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("INCONCLUSIVE"), std::string::npos) << text.output;
  EXPECT_EQ(text.output.find("floating point"), std::string::npos) << text.output;
  EXPECT_EQ(text.output.find("the claim stands"), std::string::npos) << text.output;
  const Outcome json = run(attack + " --json");
  EXPECT_EQ(json.exit_code, 1);
  const auto audit = nlohmann::json::parse(json.output);
  EXPECT_FALSE(audit.at("passed"));
  EXPECT_EQ(audit.at("verdict"), "inconclusive");
  EXPECT_EQ(audit.at("exact_part"), "too large");
  EXPECT_FALSE(audit.at("skipped").empty());
}

TEST_F(Cli, MemoryDoesNotGrowWithTheInput) {
  train();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--level", "feature"}, {"--level", "feature", "--output", path("long.npy")}}) {
    const long small = peak_of(1000, more);
    const long large = peak_of(500000, more);
    EXPECT_LT(large, small + 2048) << "kilobytes";
  }
}

TEST_F(Cli, InspectNamesTheDecoderAndWhatItReleases) {
  train();
  make_plain();
  const Outcome with = run("inspect people.sotto");
  EXPECT_NE(with.output.find("2 -> 2 (4 multiplications a record)"), std::string::npos) << with.output;
  EXPECT_NE(with.output.find("2 columns, 0 of them categorical, decoded from the report alone"), std::string::npos);
  const auto without = nlohmann::json::parse(run("inspect plain.sotto --json").output).at("mechanism");
  EXPECT_EQ(without.at("decoder"), "none");
  EXPECT_FALSE(without.contains("feature level"));
}

TEST_F(Cli, FeatureLevelWritesATableThatIsReadAsRecordsAgain) {
  train();
  const Outcome released =
      run("privatize people.sotto --input people.csv --epsilon 4 --lambda 0.5 --level feature --output decoded.csv");
  ASSERT_EQ(released.exit_code, 0) << released.errors;
  EXPECT_NE(released.errors.find("400 reports, decoded, in"), std::string::npos) << released.errors;
  EXPECT_EQ(lines_of(read("decoded.csv"))[0], "height,weight,smoker");
  const Mechanism mechanism = Mechanism::load(path("people.sotto")).value_or_throw();
  const auto source =
      open_source({path("decoded.csv"), "", {}}, mechanism.spec().input, mechanism.spec().label).value_or_throw();
  const Dataset decoded = load(*source).value_or_throw();
  ASSERT_EQ(decoded.rows, 400U);
  EXPECT_EQ(decoded.labels.size(), 400U);
  for (std::size_t i = 0; i < decoded.rows; ++i) {
    EXPECT_TRUE(decoded.values[2 * i] >= 100 && decoded.values[2 * i] <= 220);
    EXPECT_TRUE(decoded.values[2 * i + 1] >= 30 && decoded.values[2 * i + 1] <= 200);
  }
}

// One seed, three formats: the same records and labels.
TEST_F(Cli, FeatureLevelSaysTheSameInEveryFormat) {
  const MechanismSpec spec = awkward_spec();
  const Mechanism mechanism = Mechanism::make(spec).value_or_throw();
  mechanism.save(path("awkward.sotto")).or_throw();
  std::string input = "\"a, \"\"b\"\"\",\" c\",d,\"class, of what\"\n";
  for (int i = 0; i < 600; ++i) input += "0.5,-1," + std::string(i % 2 == 0 ? "\"x,y\"" : "\"\"") + ",ü\n";
  write("input.csv", input);
  const std::string release =
      "privatize awkward.sotto --input input.csv --epsilon 4 --lambda 0.5 --level feature --seed 7 --output ";
  for (const char* output : {"a.csv", "a.ndjson", "a.npy --labels-output b.npy", "stream --format csv"}) {
    const Outcome outcome = run(release + output);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  }
  EXPECT_EQ(read("stream"), read("a.csv"));
  EXPECT_EQ(run(release + "-").output, read("a.csv"));
  const Dataset csv =
      load(*open_source({path("a.csv"), "", {}}, spec.input, spec.label).value_or_throw()).value_or_throw();
  const Dataset npy =
      load(*open_source({path("a.npy"), path("b.npy"), {}}, spec.input, spec.label).value_or_throw()).value_or_throw();
  EXPECT_EQ(csv.rows, 600U);
  EXPECT_EQ(csv.values, npy.values);
  EXPECT_EQ(csv.labels, npy.labels);
  const auto lines = lines_of(read("a.ndjson"));
  ASSERT_EQ(lines.size(), 600U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto object = nlohmann::json::parse(lines[i]);
    EXPECT_EQ(object.at("mechanism"), to_hex(mechanism.id()));
    EXPECT_EQ(object.at("epsilon"), "4");
    EXPECT_EQ(object.at("lambda"), "0.5");
    EXPECT_EQ(object.at("record").at("a, \"b\"").get<float>(), npy.values[3 * i]);
    EXPECT_EQ(object.at("record").at(" c").get<float>(), npy.values[3 * i + 1]);
    EXPECT_EQ(object.at("record").at("d"),
              spec.input.columns[2].categories[static_cast<std::size_t>(npy.values[3 * i + 2])]);
    EXPECT_EQ(object.at("label"), spec.label->classes[static_cast<std::size_t>(npy.labels[i])]);
  }
}

TEST_F(Cli, FeatureLevelWritesImagesAsPixels) {
  MechanismSpec spec = awkward_spec();
  spec.input = {ImageShape{1, 1, 3}, {}};
  spec.label.reset();
  Mechanism::make(spec).value_or_throw().save(path("image.sotto")).or_throw();
  write("pixels.csv", "0.5,0,1\n0,0,0\n");
  const std::string release = "privatize image.sotto --input pixels.csv --epsilon 4 --level feature --seed 7 --quiet";
  ASSERT_EQ(run(release + " --output decoded.csv").exit_code, 0);
  ASSERT_EQ(run(release + " --output decoded.npy").exit_code, 0);
  const Dataset csv =
      load(*open_source({path("decoded.csv"), "", {}}, spec.input, std::nullopt).value_or_throw()).value_or_throw();
  const Dataset npy =
      load(*open_source({path("decoded.npy"), "", {}}, spec.input, std::nullopt).value_or_throw()).value_or_throw();
  EXPECT_EQ(csv.rows, 2U);
  EXPECT_EQ(csv.values, npy.values);
  const auto lines = lines_of(run(release + " --format ndjson").output);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(nlohmann::json::parse(lines[1]).at("record").get<std::vector<float>>(),
            (std::vector<float>{csv.values.begin() + 3, csv.values.end()}));
}

TEST_F(Cli, FeatureLevelOfNoRecordsIsAnEmptyTableOrArray) {
  train();
  write("none.csv", "height,weight\n");
  const std::string release = "privatize people.sotto --input none.csv --epsilon 1 --level feature --quiet --output ";
  ASSERT_EQ(run(release + "none_decoded.csv").exit_code, 0);
  EXPECT_EQ(read("none_decoded.csv"), "height,weight\n");
  ASSERT_EQ(run(release + "none.npy").exit_code, 0);
  EXPECT_NE(read("none.npy").find("(0, 2)"), std::string::npos);
}

TEST_F(Cli, FeatureLevelWithoutADecoderOrAFormatIsMisuseAndLeavesNoFile) {
  train();
  make_plain();
  const auto refused = [&](const std::string& rest, const char* words) {
    const Outcome outcome = run("privatize " + rest);
    EXPECT_EQ(outcome.exit_code, 2) << rest;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  };
  const std::string common = " --input people.csv --epsilon 1 --level feature ";
  refused("plain.sotto" + common + "--output x.csv", "this mechanism has no decoder");
  refused("people.sotto" + common + "--output x.dat", "the extension of --output does not tell it");
  refused("people.sotto" + common + "--format cbor", "received cbor");
  refused("people.sotto" + common + "--format npy", "npy needs a file");
  refused("people.sotto" + common + "--lambda 0.5 --output x.npy", "labels-output: needed");
  refused("people.sotto" + common + "--output x.npy --labels-output y.npy", "labels-output: given");
  refused("people.sotto --input people.csv --epsilon 1 --format csv", "needs --level feature");
  refused("people.sotto --input people.csv --epsilon 1 --labels-output y.npy", "needs --level feature");
  refused("people.sotto --input people.csv --epsilon 1 --level pixel", "level");
  for (const char* file : {"x.csv", "x.npy", "y.npy", "x.dat"}) {
    EXPECT_FALSE(std::filesystem::exists(path(file)));
    EXPECT_FALSE(std::filesystem::exists(path(std::string(file) + ".partial")));
  }
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
