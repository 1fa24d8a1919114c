#include "sotto/reproduce/experiment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sotto {
namespace {

constexpr const char* kSmall = R"toml(
name = "small"
title = "A small one"
source = "nobody"
protocol = "novel-class"
metric = "private accuracy"
trials = 2
epsilons = [4, 1.5, 1]
notes = ["first", "second"]

[[series]]
mechanism = "V-RLM"
channel = "Laplace"
learner = "Eq. 11"
l1_radius = [10, 5, 2.5]
epsilon_pretrain = [33, "learnt", 7]
epochs = 20
hidden = [7, 8]
classifier_hidden = []
auxiliary_records = 100
no_privacy = { epsilon_pretrain = "none" }

[[series]]
mechanism = "PrivUnit"
encoder = "identity"
noise = "privunit"
learn = "label-noise"
all_records = true

[[published]]
mechanism = "V-RLM"
values = [80, 70.5, 60]
none = 90

[quick]
trials = 1
epsilons = [1]
no_privacy = false
epochs = 3
auxiliary_records = 50
reports = 40
test_records = 30
)toml";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

std::string refusal_of(const std::string& text, bool quick = false) {
  const auto parsed = parse_experiment(text, quick);
  EXPECT_FALSE(parsed) << "an error was expected";
  return parsed ? std::string() : parsed.error().message;
}

void expect_named(const std::string& text, const std::string& words, bool quick = false) {
  const std::string message = refusal_of(text, quick);
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(Experiment, ReadsWhatItDeclares) {
  const Experiment experiment = parse_experiment(kSmall, false).value_or_throw();
  EXPECT_EQ(experiment.name, "small");
  EXPECT_EQ(experiment.protocol, Protocol::kNovelClass);
  EXPECT_EQ(experiment.metric, Metric::kPrivateAccuracy);
  EXPECT_EQ(experiment.trials, 2U);
  EXPECT_EQ(experiment.max_auxiliary + experiment.max_reports + experiment.max_tests, 0U);
  EXPECT_EQ(experiment.notes, (std::vector<std::string>{"first", "second"}));
  ASSERT_EQ(experiment.series.size(), 2U);
  const Series& first = experiment.series[0];
  EXPECT_EQ(first.auxiliary_records, 100U);
  EXPECT_FALSE(first.all_records);
  ASSERT_EQ(first.cells.size(), 4U);
  EXPECT_EQ(first.cells[0].epsilon, 4);
  EXPECT_EQ(first.cells[1].epsilon, 1.5);
  EXPECT_EQ(first.cells[3].epsilon, std::nullopt);
  EXPECT_EQ(first.cells[2].settings.l1_radius, 2.5);
  EXPECT_EQ(first.cells[0].settings.epsilon_pretrain, "33");
  EXPECT_EQ(first.cells[1].settings.epsilon_pretrain, "learnt");
  EXPECT_EQ(first.cells[1].settings.hidden, (std::vector<std::size_t>{7, 8}));
  EXPECT_TRUE(first.cells[1].settings.classifier_hidden.empty());
  const Series& second = experiment.series[1];
  EXPECT_TRUE(second.all_records);
  ASSERT_EQ(second.cells.size(), 3U);
  EXPECT_EQ(second.cells[0].settings.channel, "privunit");
  EXPECT_EQ(second.cells[0].settings.learner, "label-noise");
  ASSERT_EQ(experiment.published.size(), 4U);
  EXPECT_EQ(experiment.published[3].epsilon, std::nullopt);
}

TEST(Experiment, WithoutPrivacyKeepsWhatIsSaidOnceButNoListOverEpsilons) {
  const Cell cell = parse_experiment(kSmall, false).value_or_throw().series[0].cells[3];
  EXPECT_EQ(cell.settings.epsilon_pretrain, "none");
  EXPECT_EQ(cell.settings.epochs, 20U);
  EXPECT_EQ(cell.settings.hidden, (std::vector<std::size_t>{7, 8}));
  EXPECT_EQ(cell.settings.l1_radius, Settings{}.l1_radius);
}

TEST(Experiment, QuickLimitsEverything) {
  const Experiment experiment = parse_experiment(kSmall, true).value_or_throw();
  EXPECT_EQ(experiment.trials, 1U);
  EXPECT_EQ(experiment.max_auxiliary, 50U);
  EXPECT_EQ(experiment.max_reports, 40U);
  EXPECT_EQ(experiment.max_tests, 30U);
  for (const Series& series : experiment.series) {
    ASSERT_EQ(series.cells.size(), 1U);
    EXPECT_EQ(series.cells[0].epsilon, 1);
    EXPECT_LE(series.cells[0].settings.epochs, 3U);
    EXPECT_LE(series.cells[0].settings.contrastive_epochs, 3U);
  }
  EXPECT_EQ(experiment.series[0].cells[0].settings.l1_radius, 2.5) << "the value of its own epsilon";
}

TEST(Experiment, ReadsWhatIsLeftToAPlanAndWhatPeopleAreAskedFor) {
  const Experiment experiment =
      parse_experiment(with("all_records = true",
                            "all_records = true\ncodes = [\"plan\", 12, \"plan\"]\ncontrastive = "
                            "\"convolutional\"\ninference = \"published\"\nreports = 500\nrelabel = [0, 1, 0]"),
                       false)
          .value_or_throw();
  const Series& series = experiment.series[1];
  EXPECT_EQ(series.cells[0].settings.codes, 0U);
  EXPECT_EQ(series.cells[1].settings.codes, 12U);
  EXPECT_EQ(series.cells[2].settings.contrastive, "convolutional");
  EXPECT_EQ(series.cells[2].settings.inference, "published");
  EXPECT_EQ(series.reports, 500U);
  EXPECT_EQ(series.relabel, (std::vector<std::int32_t>{0, 1, 0}));
  expect_named(with("all_records = true", "codes = \"many\""), "codes: must be a number or 'plan'");
  expect_named(with("all_records = true", "relabel = [0, -1]"), "relabel: labels count from 0");
}

TEST(Experiment, SkipsWhatWasNotPublished) {
  const Experiment experiment =
      parse_experiment(with("values = [80, 70.5, 60]", "values = [80, nan, 60]"), false).value_or_throw();
  EXPECT_EQ(experiment.published.size(), 3U) << "two epsilons and none";
}

TEST(Experiment, NamesAWordThatMeansNothing) {
  expect_named(with("encoder = \"identity\"", "encoder = \"identify\""),
               "encoder: must be one of vrlm, crlm, pca, aligned, identity, codes, directions, got 'identify'");
  expect_named(with("noise = \"privunit\"", "noise = \"priv-unit\""), "noise: must be one of");
  expect_named(with("learn = \"label-noise\"", "learn = \"labels\""), "learn: must be one of");
}

TEST(Experiment, NamesAnUnknownKeyWhereverItStands) {
  expect_named(std::string("colour = 1\n") + kSmall, "'colour'");
  expect_named(with("encoder = \"identity\"", "encoders = \"identity\""), "'encoders'");
  expect_named(with("none = 90", "nothing = 90"), "'nothing'");
  expect_named(with("{ epsilon_pretrain", "{ epsilon_prtrain"), "'epsilon_prtrain'");
  expect_named(with("reports = 40", "report = 40"), "'report'", true);
}

TEST(Experiment, NamesAKeyOfTheWrongTypeOrLength) {
  expect_named(with("trials = 2", "trials = \"two\""), "trials");
  expect_named(with("trials = 2", "trials = -1"), "trials");
  expect_named(with("trials = 2", "trials = 0"), "trial");
  expect_named(with("trials = 1\nepsilons", "trials = 0\nepsilons"), "trial", true);
  expect_named(with("epsilons = [4, 1.5, 1]", "epsilons = 4"), "epsilons");
  expect_named(with("epsilons = [4, 1.5, 1]", "epsilons = [\"4\", 1.5, 1]"), "epsilons");
  expect_named(with("epsilons = [4, 1.5, 1]\n", ""), "epsilons");
  expect_named(with("notes = [\"first\"", "notes = [1"), "notes");
  expect_named(with("l1_radius = [10, 5, 2.5]", "l1_radius = [10, 5]"), "l1_radius: expected one value or 3, got 2");
  expect_named(with("l1_radius = [10, 5, 2.5]", "l1_radius = \"wide\""), "l1_radius");
  expect_named(with("[33, \"learnt\", 7]", "[33, \"learnt\"]"), "epsilon_pretrain");
  expect_named(with("[33, \"learnt\", 7]", "true"), "epsilon_pretrain");
  expect_named(with("epochs = 20", "epochs = -20"), "epochs");
  expect_named(with("hidden = [7, 8]", "hidden = 7"), "hidden");
  expect_named(with("hidden = [7, 8]", "hidden = [7, -8]"), "hidden");
  expect_named(with("all_records = true", "all_records = 1.5"), "all_records");
  expect_named(with("no_privacy = { epsilon_pretrain = \"none\" }", "no_privacy = true"), "no_privacy");
  expect_named(with("values = [80, 70.5, 60]", "values = [80, 70.5]"), "published");
  expect_named(with("mechanism = \"PrivUnit\"", "mechanism = 3"), "mechanism");
}

TEST(Experiment, NamesAChoiceThatDoesNotExistAndWhatIsAllowed) {
  expect_named(with("novel-class", "new-class"), "protocol: must be one of collection, novel-class, got 'new-class'");
  expect_named(with("private accuracy", "accuracy"), "metric: must be one of");
}

TEST(Experiment, NamesTheLineOfMalformedToml) { expect_named("name = \"x\"\ntitle = = 2\n", "line 2"); }

TEST(Experiment, NeedsANameAndSeries) {
  expect_named("epsilons = [1]\n", "name");
  expect_named("name = \"x\"\nepsilons = [1]\n", "series");
}

TEST(Experiment, EveryShippedOneParsesInBothModesAndQuickIsSmaller) {
  ASSERT_FALSE(experiment_names().empty());
  for (const std::string& name : experiment_names()) {
    SCOPED_TRACE(name);
    const std::string text = experiment_named(name).value_or_throw();
    const auto full = parse_experiment(text, false), quick = parse_experiment(text, true);
    ASSERT_TRUE(full) << full.error().message;
    ASSERT_TRUE(quick) << quick.error().message;
    EXPECT_EQ(full->name, name);
    EXPECT_EQ(full->trials, 3U);
    EXPECT_LT(quick->trials, full->trials);
    EXPECT_GT(quick->max_auxiliary * quick->max_reports * quick->max_tests, 0U);
    EXPECT_EQ(quick->series.size(), full->series.size());
    EXPECT_FALSE(full->published.empty());
    for (const Experiment* experiment : {&*full, &*quick})
      for (const Series& series : experiment->series) {
        EXPECT_FALSE(series.cells.empty()) << series.mechanism;
        for (const Cell& cell : series.cells) {
          const Settings& s = cell.settings;
          EXPECT_TRUE((std::set<std::string>{"vrlm", "crlm", "pca", "aligned", "identity", "codes", "directions"})
                          .contains(s.encoder))
              << s.encoder;
          EXPECT_TRUE((std::set<std::string>{"denoising", "student", "codes", "discriminant", "label-noise"})
                          .contains(s.learner))
              << s.learner;
          EXPECT_TRUE((std::set<std::string>{"split", "joint"}).contains(s.label)) << s.label;
          EXPECT_TRUE(s.label == "split" || s.learner == "codes" || s.learner == "student")
              << "joint reports are learnt from through codes";
        }
      }
  }
}

TEST(Experiment, AnUnknownNameIsRefusedWithThoseThatExist) {
  const auto named = experiment_named("collection-fashion");
  ASSERT_FALSE(named);
  EXPECT_NE(named.error().message.find("collection-mnist"), std::string::npos);
}

}  // namespace
}  // namespace sotto
