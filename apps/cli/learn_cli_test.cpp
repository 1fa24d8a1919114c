// From images to a classifier and what it is worth, by the commands a person types: the four shapes of examples/, which
// a guess gets right one time in four. A table goes the same way.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "program_test.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto {
namespace {

// 400 test records: an accuracy of 0.6 lies 16 standard deviations above chance.
constexpr double kClearlyAboveChance = 0.6;

class LearnCli : public ProgramTest {
 protected:
  static std::string example(const std::string& name) { return SOTTO_EXAMPLES "/" + name; }

  Outcome must(const std::string& arguments) const {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.errors;
    return outcome;
  }

  nlohmann::json json_of(const std::string& arguments) const {
    return nlohmann::json::parse(must(arguments + " --json").output);
  }

  void refused(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.errors;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << arguments << "\n" << outcome.errors;
  }

  std::string training_options() const { return " --input " + example("shapes-auxiliary.idx") + " --quiet"; }

  void train_vrlm() const {
    must(
        "train vrlm --image 12x12 --classes 4 --dimension 4 --l1-radius 5 --epsilon-pretrain 20 --hidden 64 "
        "--epochs 30 --learning-rate 0.003 --output vrlm.sotto" +
        training_options());
  }

  void train_codes(const std::string& more = "") const {
    must("train codes --image 12x12 --classes 4 --codes 8 --epochs 30 --batch 64 --output codes.sotto" +
         training_options() + more);
  }

  void privatize(const std::string& mechanism, const std::string& more) const {
    must("privatize " + mechanism + " --input " + example("shapes-private.idx") + " --labels " +
         example("shapes-private-labels.idx") + " --quiet " + more);
  }

  std::string evaluate(const std::string& mechanism) const {
    return "evaluate model.safetensors --mechanism " + mechanism + " --input " + example("shapes-test.idx") +
           " --labels " + example("shapes-test-labels.idx");
  }

  std::string learn(const std::string& mechanism, const std::string& reports) const {
    return "learn " + mechanism + " --reports " + reports + " --output model.safetensors";
  }

  std::string auxiliary() const { return " --auxiliary " + example("shapes-auxiliary.idx"); }
};

TEST_F(LearnCli, AVariationalModelsReportsTeachAClassifierOfCleanAndOfPrivateRecords) {
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 12 --lambda 0.6 --seed 1 --output reports.ndjson");
  const auto learnt = json_of(learn("vrlm.sotto", "reports.ndjson") + auxiliary());
  EXPECT_EQ(learnt.at("method"), "denoising");
  EXPECT_EQ(learnt.at("reports"), 1000);
  ASSERT_EQ(learnt.at("classes").size(), 4U);
  for (const auto& each : learnt.at("classes")) EXPECT_NEAR(each.at("share").get<double>(), 0.25, 0.1);

  const auto result = json_of(evaluate("vrlm.sotto") + auxiliary() +
                              " --private --epsilon 12 --validation-epsilon 2 --predictions p.txt --seed 1");
  const auto& clean = result.at("clean");
  EXPECT_GT(clean.at("value"), kClearlyAboveChance);
  EXPECT_LT(clean.at("low"), clean.at("value"));
  EXPECT_GT(clean.at("high"), clean.at("value"));
  const auto& reports = result.at("private");
  EXPECT_GT(reports.at("accuracy").at("value"), kClearlyAboveChance);
  EXPECT_LE(reports.at("accuracy").at("low"), reports.at("laplace_sphere_ceiling"));
  EXPECT_LE(reports.at("laplace_sphere_ceiling"), reports.at("any_channel_ceiling"));
  // One bit of epsilon 2 from each of 400 owners: a standard deviation of about 0.03.
  EXPECT_NEAR(result.at("validated").at("accuracy").at("value").get<double>(), clean.at("value").get<double>(), 0.2);
  EXPECT_NE(result.at("validated").at("spent").get<std::string>().find("epsilon = 2"), std::string::npos);
  const std::string predictions = read("p.txt");
  EXPECT_EQ(std::count(predictions.begin(), predictions.end(), '\n'), 400);
}

TEST_F(LearnCli, AStoreKeepsEachFileOnceAndTeachesWhatTheFilesTeach) {
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 12 --lambda 0.6 --seed 1 --output first.ndjson");
  privatize("vrlm.sotto", "--epsilon 12 --lambda 0.6 --seed 2 --format cbor --output second.cbor");
  const std::string import = "reports import kept.db --mechanism vrlm.sotto ";
  EXPECT_EQ(json_of(import + "first.ndjson second.cbor").at("kept"), 2000);
  const auto again = json_of(import + "second.cbor");
  EXPECT_EQ(again.at("kept"), 0);
  EXPECT_EQ(again.at("kept_before"), 1000);
  const auto listed = json_of("reports list kept.db");
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].at("reports"), 2000);
  EXPECT_EQ(listed[0].at("lambda"), "0.6");

  EXPECT_EQ(json_of(learn("vrlm.sotto", "kept.db") + auxiliary()).at("reports"), 2000);
  const std::string of_store = read("model.safetensors");
  json_of(learn("vrlm.sotto", "first.ndjson --reports second.cbor") + auxiliary());
  EXPECT_EQ(read("model.safetensors"), of_store);

  must("reports export kept.db --mechanism vrlm.sotto --format ndjson --output all.ndjson");
  EXPECT_TRUE(read("all.ndjson").starts_with(read("first.ndjson")));
  EXPECT_EQ(json_of("reports import other.db --mechanism vrlm.sotto all.ndjson").at("kept"), 2000);
}

TEST_F(LearnCli, AStoreRefusesWhatDoesNotBelongInIt) {
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 12 --lambda 0.6 --seed 1 --output reports.ndjson");
  privatize("vrlm.sotto", "--epsilon 4 --lambda 0.6 --seed 1 --output weaker.ndjson");
  const std::string import = "reports import kept.db --mechanism vrlm.sotto ";
  const auto fails = [&](const std::string& arguments, const std::string& words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
  };
  fails("reports list nowhere.db", "there is no such file");
  fails("reports list reports.ndjson", "not a store of reports");
  fails(import + "vrlm.sotto", "report 1");
  write("half.ndjson", read("reports.ndjson") + "secret42\n");
  fails(import + "weaker.ndjson half.ndjson", "half.ndjson, report 1001");
  EXPECT_FALSE(std::filesystem::exists(path("kept.db"))) << "nothing was kept";
  must(import + "reports.ndjson weaker.ndjson");
  refused(learn("vrlm.sotto", "kept.db") + auxiliary(), "several collections of this mechanism");
  must("reports export kept.db --mechanism vrlm.sotto --collection 2 --format ndjson --output out.ndjson");
  EXPECT_EQ(read("out.ndjson"), read("weaker.ndjson"));
  refused("reports export kept.db --mechanism vrlm.sotto --collection 3 --output x.cbor", "has no collection 3");
}

TEST_F(LearnCli, EveryMethodLearnsAndSaysSo) {
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 16 --lambda 0.7 --seed 1 --output reports.ndjson");
  for (const char* method : {"denoising", "student", "label-noise", "codes", "discriminant"}) {
    const Outcome text = must(learn("vrlm.sotto", "reports.ndjson") + auxiliary() + " --method " + method);
    EXPECT_NE(text.output.find(std::string("by method ") + method), std::string::npos) << text.output;
    // A discriminant draws straight lines through four dimensions, which the kinds of shape do not keep to.
    const double least = std::string_view(method) == "discriminant" ? 0.45 : kClearlyAboveChance;
    EXPECT_GT(json_of(evaluate("vrlm.sotto")).at("clean").at("value"), least) << method;
  }
  const auto decoded = json_of(learn("vrlm.sotto", "reports.ndjson") + " --level feature");
  EXPECT_EQ(decoded.at("method"), "label-noise");
  EXPECT_GT(json_of(evaluate("vrlm.sotto")).at("clean").at("value"), kClearlyAboveChance);
}

TEST_F(LearnCli, JointReportsOfCodesTeachWithTheWholeOfEpsilon) {
  train_codes();
  privatize("codes.sotto", "--epsilon 4 --joint --seed 1 --format cbor --output reports.cbor");
  const auto learnt = json_of(learn("codes.sotto", "reports.cbor") + auxiliary() + " --codebook codes.sotto");
  EXPECT_EQ(learnt.at("method"), "codes");
  EXPECT_EQ(learnt.at("reports"), 1000);
  EXPECT_GT(json_of(evaluate("codes.sotto")).at("clean").at("value"), kClearlyAboveChance);
}

TEST_F(LearnCli, JointReportsOfCodesWithDistancesTeachToo) {
  train_codes(" --channel exponential --distortion-levels 4");
  privatize("codes.sotto", "--epsilon 4 --joint --seed 1 --output reports.ndjson");
  EXPECT_EQ(json_of(learn("codes.sotto", "reports.ndjson") + auxiliary() + " --codebook codes.sotto").at("reports"),
            1000);
  EXPECT_GT(json_of(evaluate("codes.sotto")).at("clean").at("value"), kClearlyAboveChance);
}

TEST_F(LearnCli, AConvolutionalEncoderFindsCodesAndGoesThroughTheFile) {
  must(
      "train codes --encoder convolutional --image 12x12 --classes 4 --codes 4 --channel hadamard_response --epochs 15 "
      "--batch 64 --output codes.sotto" +
      training_options());
  EXPECT_NE(must("inspect codes.sotto").output.find("16 x 6 x 6 by convolution of 5 x 5, stride 2 relu"),
            std::string::npos);
  privatize("codes.sotto", "--epsilon 4 --joint --seed 1 --output reports.ndjson");
  json_of(learn("codes.sotto", "reports.ndjson") + auxiliary() + " --codebook codes.sotto");
  EXPECT_GT(json_of(evaluate("codes.sotto")).at("clean").at("value"), kClearlyAboveChance);
}

TEST_F(LearnCli, APublishedClassifierReportsItsOwnPredictions) {
  train_codes();
  privatize("codes.sotto", "--epsilon 8 --joint --seed 1 --output reports.ndjson");
  json_of(learn("codes.sotto", "reports.ndjson") + auxiliary() + " --publish labels.sotto");
  EXPECT_NE(must("inspect labels.sotto --epsilon 1").output.find("randomized_response"), std::string::npos);
  must("privatize labels.sotto --epsilon 3 --seed 1 --quiet --output labels.ndjson --input " +
       example("shapes-private.idx"));
  const auto seen = json_of(evaluate("codes.sotto") + " --private --published --epsilon 3 --seed 1");
  const double clean = seen.at("clean").at("value"), reported = seen.at("private").at("accuracy").at("value");
  // Randomised response keeps a label with p = e³/(e³ + 3) = 0.87; 400 records leave a standard error of 0.02.
  const double kept = std::exp(3.0) / (std::exp(3.0) + 3);
  EXPECT_NEAR(reported, clean * kept + (1 - clean) * (1 - kept) / 3, 0.08);
  refused(evaluate("codes.sotto") + " --published", "published: goes with --private");
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.5 --output split.ndjson");
  refused(learn("vrlm.sotto", "split.ndjson") + auxiliary() + " --publish x.sotto",
          "publish: a device needs a classifier of records as they are");
}

TEST_F(LearnCli, APlanSaysWhatACollectionWouldYield) {
  train_codes();
  const std::string plan = "plan codes.sotto --auxiliary " + example("shapes-auxiliary.idx") +
                           " --reports 1000 --codes 4,8 --repeats 2 --quiet";
  const auto made = json_of(plan + " --epsilon 0.5 --epsilon 6 --html plan.html");
  EXPECT_EQ(made.at("labels"), "stand-ins");
  EXPECT_EQ(made.at("predictions").size(), 6);
  ASSERT_EQ(made.at("recommended").size(), 2);
  EXPECT_GT(made.at("recommended").at(1).at("accuracy").at("mean"), 0.8);
  EXPECT_LT(made.at("recommended").at(0).at("accuracy").at("mean"),
            made.at("recommended").at(1).at("accuracy").at("mean"));
  EXPECT_NE(read("plan.html").find("What a collection would yield"), std::string::npos);
  must(plan + " --epsilon 4 --output planned.sotto");
  privatize("planned.sotto", "--epsilon 4 --joint --seed 1 --output reports.ndjson");
  json_of(learn("planned.sotto", "reports.ndjson") + auxiliary());
  EXPECT_GT(json_of(evaluate("planned.sotto")).at("clean").at("value"), kClearlyAboveChance);
  refused(plan + " --epsilon 1 --epsilon 2 --output x.sotto", "output: one mechanism is written for one epsilon");
  refused("plan codes.sotto --auxiliary " + example("shapes-auxiliary.idx") + " --reports 1000",
          "--epsilon is required");
  refused(plan + " --epsilon 0", "epsilon");
}

TEST_F(LearnCli, AContrastiveEncoderIntoTheBallTeachesThroughLaplaceNoise) {
  const std::string views = " --image 12x12 --classes 4 --batch 64 --output crlm.sotto";
  const auto trained =
      json_of("train crlm --dimension 4 --epsilon-pretrain 10 --epochs 100" + views + training_options());
  EXPECT_EQ(trained.at("epochs"), 100);
  privatize("crlm.sotto", "--epsilon 12 --lambda 0.6 --seed 1 --output reports.ndjson");
  json_of(learn("crlm.sotto", "reports.ndjson") + auxiliary());
  EXPECT_GT(json_of(evaluate("crlm.sotto")).at("clean").at("value"), kClearlyAboveChance);
  refused("train crlm --dimension 4 --epochs 30" + views + training_options(), "--epsilon-pretrain is required");
}

TEST_F(LearnCli, CodesOfATableTeach) {
  const std::string people = " --input " + example("people.csv"), schema = " --schema " + example("people.schema.json");
  const auto trained = json_of("train codes --codes 8 --quiet --output codes.sotto" + people + schema);
  EXPECT_EQ(trained.at("auxiliary_records"), 300);
  EXPECT_EQ(trained.at("epochs"), 50);
  ASSERT_EQ(trained.at("code_sizes").size(), 8U);
  const auto inspected = json_of("inspect codes.sotto");
  EXPECT_NE(inspected.dump().find("corruption"), std::string::npos) << inspected;
  must("privatize codes.sotto --epsilon 8 --joint --seed 1 --quiet --output reports.ndjson" + people);
  json_of(learn("codes.sotto", "reports.ndjson") + " --auxiliary " + example("people.csv") + " --codebook codes.sotto");
  // 189 of 300 do not smoke: 0.72 lies 3 standard deviations above what the larger class alone would get.
  EXPECT_GT(json_of("evaluate model.safetensors --mechanism codes.sotto" + people).at("clean").at("value"), 0.72);

  EXPECT_EQ(json_of("train codes --codes 2 --quiet --epochs 3 --output codes.sotto" + people + schema).at("epochs"), 3);
  const auto ball = json_of("train crlm --epsilon-pretrain 10 --dimension 2 --quiet --epochs 2 --output crlm.sotto" +
                            people + schema);
  EXPECT_EQ(ball.at("auxiliary_records"), 300);
  must("privatize crlm.sotto --epsilon 8 --lambda 0.6 --seed 1 --quiet --output reports.ndjson" + people);
}

TEST_F(LearnCli, ViewsOfImagesAndOfTablesAreNotMixedUp) {
  const std::string table =
      " --quiet --output x.sotto --input " + example("people.csv") + " --schema " + example("people.schema.json");
  const std::string images = " --image 12x12 --output x.sotto" + training_options();
  for (const std::string method : {"codes", "crlm --epsilon-pretrain 10"}) {
    refused("train " + method + " --rotation-degrees 10" + table,
            "--rotation-degrees: is for views of images, got a table");
    refused("train " + method + " --encoder convolutional" + table, "--encoder: convolutional is for images");
    refused("train " + method + " --corruption 0.5" + images, "--corruption: is for views of a table, got images");
    refused("train " + method + " --corruption 1" + table, "--corruption");
  }
  write("gap.csv", "height,weight,age\n170,60,30\n171,,31\n172,62,32\n173,63,33\n");
  const Outcome gap =
      run("train codes --codes 2 --input gap.csv --quiet --output x.sotto --schema " + example("people.schema.json"));
  EXPECT_EQ(gap.exit_code, 1);
  EXPECT_NE(gap.errors.find("column weight holds missing or infinite values"), std::string::npos) << gap.errors;
  EXPECT_FALSE(std::filesystem::exists(path("x.sotto")));
}

TEST_F(LearnCli, AnEncoderAlignedWithTheCodesTakesWhatARecordLooksLikeFromThem) {
  train_codes();
  const auto trained = json_of(
      "train aligned --codes codes.sotto --epsilon-pretrain 8 --dimension 4 --hidden 64 "
      "--epochs 20 --output aligned.sotto" +
      training_options());
  EXPECT_EQ(trained.at("codes"), 8);
  privatize("aligned.sotto", "--epsilon 8 --joint --seed 1 --output reports.ndjson");
  json_of(learn("aligned.sotto", "reports.ndjson") + auxiliary() + " --codebook codes.sotto");
  EXPECT_GT(json_of(evaluate("aligned.sotto")).at("clean").at("value"), kClearlyAboveChance);
  refused("train aligned --codes codes.sotto --epsilon-pretrain 8 --dimension 3 --output x.sotto" + training_options(),
          "codes: must lie between 2 and the number of vertices, 6, got 8");
  refused("train aligned --codes aligned.sotto --epsilon-pretrain 8 --output x.sotto" + training_options(),
          "codes: this mechanism has no codebook");
}

// Crosses, which the mechanism has never seen: who reports is asked for one, or for anything else.
TEST_F(LearnCli, CampaignsTeachAClassThatTheMechanismHasNeverSeen) {
  train_vrlm();
  for (const char* who : {"crosses", "others"})
    must("privatize vrlm.sotto --epsilon 8 --seed 1 --quiet --input " + example("campaign-") + who + ".idx --output " +
         who + ".ndjson");
  const std::string learn_campaigns = "learn vrlm.sotto --output model.safetensors";
  const std::string both = learn_campaigns + " --campaign other=others.ndjson --campaign cross=crosses.ndjson";
  const std::string test = "evaluate model.safetensors --mechanism vrlm.sotto --input " + example("campaign-test.idx") +
                           " --labels " + example("campaign-test-labels.idx");
  // 200 test records, a guess gets half of them: 0.75 lies 7 standard deviations above.
  const auto coded = json_of(both + auxiliary());
  EXPECT_EQ(coded.at("method"), "codes");
  EXPECT_EQ(coded.at("classes").at(1).at("name"), "cross");
  EXPECT_EQ(coded.at("classes").at(1).at("share"), 0.5);
  EXPECT_GT(json_of(test).at("clean").at("value"), 0.75);
  // Two names for the same people: nothing to learn.
  json_of(learn_campaigns + " --campaign other=others.ndjson --campaign cross=others.ndjson" + auxiliary());
  EXPECT_LT(json_of(test).at("clean").at("value"), 0.75);
  EXPECT_EQ(json_of(both).at("method"), "label-noise");

  refused(learn_campaigns, "give either --reports, or a --campaign for each class");
  refused(both + " --reports others.ndjson", "give either --reports, or a --campaign for each class");
  refused(learn_campaigns + " --campaign others.ndjson", "campaign: must be CLASS=FILE, got 'others.ndjson'");
  refused(learn_campaigns + " --campaign a=others.ndjson --campaign a=crosses.ndjson", "at least two classes, got one");
  refused(learn_campaigns + " --reports others.ndjson", "carry no labels to learn from");
  refused(both + " --campaign third=/dev/null", "campaign: /dev/null holds no reports");
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.5 --output labelled.ndjson");
  refused(learn_campaigns + " --campaign a=labelled.ndjson --campaign b=labelled.ndjson", "carry labels of their own");
}

TEST_F(LearnCli, NdjsonAndCborOfTheSameReportsTeachTheSame) {
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.5 --seed 3 --output a.ndjson");
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.5 --seed 3 --format cbor --output a.cbor");
  must(learn("vrlm.sotto", "a.ndjson"));
  const std::string model = read("model.safetensors");
  must(learn("vrlm.sotto", "a.cbor"));
  EXPECT_EQ(read("model.safetensors"), model);
  EXPECT_EQ(json_of(learn("vrlm.sotto", "a.cbor a.ndjson")).at("reports"), 2000);
}

TEST_F(LearnCli, ReportsThatDoNotBelongTogetherAreRefusedByTheirNumber) {
  train_vrlm();
  must("train pca --image 12x12 --classes 4 --dimension 4 --output pca.sotto --input " +
       example("shapes-auxiliary.idx"));
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.5 --output a.ndjson");
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.6 --output b.ndjson");
  privatize("pca.sotto", "--epsilon 8 --lambda 0.5 --output c.ndjson");
  refused(learn("vrlm.sotto", "c.ndjson"), "reports: c.ndjson, report 1: made by mechanism ");
  refused(learn("vrlm.sotto", "a.ndjson b.ndjson"),
          "reports: b.ndjson: made with epsilon 8, lambda 0.6, but the first with epsilon 8, lambda 0.5");
  const std::string reports = read("a.ndjson");
  const std::size_t line = reports.find('\n') + 1;
  write("mixed.ndjson", reports.substr(0, 2 * line) + read("c.ndjson").substr(0, line));
  refused(learn("vrlm.sotto", "mixed.ndjson"), "mixed.ndjson, report 3: made by mechanism ");
  for (const std::string& broken : {reports.substr(0, line) + "\n" + reports.substr(line), reports.substr(0, line + 40),
                                    reports.substr(0, line) + "secret42\n"}) {
    write("broken.ndjson", broken);
    const Outcome outcome = run(learn("vrlm.sotto", "broken.ndjson"));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.errors.find("broken.ndjson, report 2: "), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.errors.find("secret42"), std::string::npos) << outcome.errors;
  }
  write("none.ndjson", "");
  refused(learn("vrlm.sotto", "none.ndjson"), "reports: the files hold none");
}

TEST_F(LearnCli, ACborFileThatIsCutOffIsRefusedByTheNumberOfItsReport) {
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.5 --format cbor --output a.cbor");
  const std::string reports = read("a.cbor");
  for (const std::size_t lost : {std::size_t{1}, reports.size() / 1000 - 3}) {
    write("cut.cbor", reports.substr(0, reports.size() - lost));
    const Outcome outcome = run(learn("vrlm.sotto", "cut.cbor"));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.errors.find("cut.cbor, report 1000: "), std::string::npos) << outcome.errors;
  }
}

TEST_F(LearnCli, MisuseNamesTheParameter) {
  train_vrlm();
  privatize("vrlm.sotto", "--epsilon 8 --lambda 0.5 --output a.ndjson");
  privatize("vrlm.sotto", "--epsilon 8 --joint --output joint.ndjson");
  must("privatize vrlm.sotto --quiet --epsilon 8 --output bare.ndjson --input " + example("shapes-private.idx"));
  refused(learn("vrlm.sotto", "a.ndjson") + " --method denoising", "auxiliary: method denoising needs public records");
  refused(learn("vrlm.sotto", "a.ndjson") + " --method magic", "--method");
  refused(learn("vrlm.sotto", "a.ndjson") + " --hidden 0", "hidden: expected widths");
  refused(learn("vrlm.sotto", "a.ndjson") + " --level feature --method student" + auxiliary(), "level feature");
  refused(learn("vrlm.sotto", "a.ndjson") + " --codebook vrlm.sotto" + auxiliary(),
          "codebook: this mechanism has none");
  refused(learn("vrlm.sotto", "joint.ndjson") + " --method label-noise", "method: reports joined");
  refused(learn("vrlm.sotto", "bare.ndjson"), "reports: carry no labels");
  refused("learn vrlm.sotto --output x", "--reports");
  EXPECT_FALSE(std::filesystem::exists(path("model.safetensors")));

  must(learn("vrlm.sotto", "a.ndjson"));
  refused(evaluate("vrlm.sotto") + " --private", "epsilon: needed with --private");
  refused(evaluate("vrlm.sotto") + " --epsilon 1", "epsilon and delta: given without --private");
  refused(evaluate("vrlm.sotto") + " --private --epsilon 1000", "epsilon: must lie between 0.001 and 100");
  refused(evaluate("vrlm.sotto") + " --validation-epsilon 0", "validation-epsilon: must lie between 0.001 and 100");
  must("train pca --image 12x12 --classes 4 --output pca.sotto --input " + example("shapes-auxiliary.idx"));
  refused(evaluate("pca.sotto"), "classifier: learnt from reports of another mechanism");
  refused("train codes --image 12x12 --codes 1 --output x.sotto" + training_options(), "--codes");
  refused("train codes --image 12x12 --temperature 0 --output x.sotto" + training_options(), "--temperature");
  refused("train codes --image 12x12 --codes 401 --epochs 1 --output x.sotto" + training_options(),
          "codes: must lie between 2 and the number of auxiliary records, 400, got 401");
}

class Tune : public LearnCli {
 protected:
  std::string tune(const std::string& more) const {
    return "tune --image 12x12 --classes 4 --training " + example("shapes-private.idx") + " --training-labels " +
           example("shapes-private-labels.idx") + " --validation " + example("shapes-test.idx") +
           " --validation-labels " + example("shapes-test-labels.idx") +
           " --epsilon 12 --lambda 0.3,0.6 --l1-radius 5 --epsilon-pretrain 20,1 --dimension 4 --hidden 64 "
           "--epochs 15 --output best.sotto " +
           more + training_options();
  }
};

TEST_F(Tune, TriesWhatTheBudgetAllowsAndWritesTheBest) {
  const auto result = json_of(tune("--epsilon-per-query 2 --epsilon-total 6.5"));
  EXPECT_EQ(result.at("candidates"), 4);
  EXPECT_EQ(result.at("queries"), 3);
  ASSERT_EQ(result.at("ranked").size(), 3U);
  EXPECT_EQ(result.at("epsilon_spent_validation"), "6");
  EXPECT_EQ(result.at("epsilon_spent_training"), "12");
  EXPECT_NE(result.at("stopped").get<std::string>().find("would spend epsilon = 8"), std::string::npos);
  EXPECT_EQ(result.at("best"), result.at("ranked")[0]);
  EXPECT_GE(result.at("ranked")[0].at("accuracy"), result.at("ranked")[2].at("accuracy"));
  EXPECT_TRUE(Mechanism::load(path("best.sotto")));
}

TEST_F(Tune, MembersOfTheTrainingGroupReportAgainOnlyWhenTheirTotalAllowsIt) {
  const auto twice = json_of(tune("--epsilon-per-query 2 --epsilon-total 100 --random 2 --epsilon-training-total 24"));
  EXPECT_EQ(twice.at("candidates"), 2);
  EXPECT_EQ(twice.at("epsilon_spent_training"), "24");
  EXPECT_EQ(twice.at("stopped"), "");
}

TEST_F(Tune, JoiningRecordAndLabelCompetesWithSplittingEpsilon) {
  const auto result = json_of(
      tune("--epsilon-per-query 2 --epsilon-total 100 --epsilon-training-total 72 --lambda joint --method codes"));
  ASSERT_EQ(result.at("ranked").size(), 6U);
  EXPECT_EQ(std::ranges::count_if(result.at("ranked"), [](const auto& one) { return one.at("lambda") == "joint"; }), 2);
  refused(tune("--epsilon-per-query 2 --epsilon-total 4 --lambda joint"), "lambda joint: ");
}

TEST_F(Tune, PrivacyParametersHaveNoDefaultsAndAreNamed) {
  refused(tune("--epsilon-total 4"), "--epsilon-per-query");
  refused(tune("--epsilon-per-query 1"), "--epsilon-total");
  refused(tune("--epsilon-per-query 0 --epsilon-total 4"), "epsilon-per-query: must lie between 0.001 and 100");
  refused(tune("--epsilon-per-query one --epsilon-total 4"), "epsilon-per-query (between 0.001 and 100)");
  refused(tune("--epsilon-per-query 1 --epsilon-total 4 --epsilon-training-total 3"), "epsilon-training-total: ");
  EXPECT_FALSE(std::filesystem::exists(path("best.sotto")));
}

}  // namespace
}  // namespace sotto
