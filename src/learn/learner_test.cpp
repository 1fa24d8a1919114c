// Every method on records of four kinds that are easy to tell apart, through a mechanism whose encoder was written by
// hand. Chance is 25 %.
#include "sotto/learn/learner.h"

#include <gtest/gtest.h>

#include "sotto/backprop/random.h"
#include "sotto/learn/prediction.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

constexpr std::size_t kWidth = 12, kKinds = 4, kReports = 1500;

// Three of twelve features are bright: which three is the kind.
Dataset make_blobs(std::size_t rows, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  Dataset data{rows, kWidth, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    data.labels.push_back(static_cast<std::int32_t>(row % kKinds));
    for (std::size_t i = 0; i < kWidth; ++i)
      data.values.push_back((i / 3 == row % kKinds ? 0.7F : 0.0F) + 0.3F * draw_uniform(entropy));
  }
  return data;
}

// Two coordinates: the brightness of the first three features minus that of the next three, and so on. The four kinds
// land near the four vertices of the ball.
Network hand_made_encoder() {
  DenseLayer layer{kWidth, 2, std::vector<float>(2 * kWidth, 0), {0, 0}, Activation::kNone};
  for (std::size_t i = 0; i < kWidth; ++i) layer.weights[i / 6 * kWidth + i] = i / 3 % 2 == 0 ? 1.0F / 3 : -1.0F / 3;
  return Network::make(kWidth, {layer}).value_or_throw();
}

InputSchema twelve_numbers() {
  InputSchema input;
  for (std::size_t i = 0; i < kWidth; ++i) input.columns.push_back(number("x" + std::to_string(i), 0, 1));
  return input;
}

MechanismSpec blob_spec(ConstraintSpec constraint, ChannelFamily family, Network encoder = hand_made_encoder()) {
  MechanismSpec spec = spec_of(twelve_numbers(), std::move(constraint), family);
  spec.label = LabelSchema{"kind", {"a", "b", "c", "d"}};
  spec.encoder = std::move(encoder);
  return spec;
}
MechanismSpec lattice_spec() { return blob_spec(L1LatticeSpec{1, 1024}, ChannelFamily::kLatticeLaplace); }
MechanismSpec code_spec() {
  return blob_spec(CodebookSpec{{0.7F, 0, -0.7F, 0, 0, 0.7F, 0, -0.7F}}, ChannelFamily::kRandomizedResponse);
}

ReleaseParameters split(std::string_view epsilon_text) { return {epsilon(epsilon_text), Delta::zero(), lambda("0.5")}; }

// Once for all tests: the collector's public records, without labels, and records to be classified.
const Dataset& public_records() {
  static const Dataset data = [] {
    Dataset blobs = make_blobs(600, 1);
    blobs.labels.clear();
    return blobs;
  }();
  return data;
}
const Dataset& test_records() {
  static const Dataset data = make_blobs(400, 2);
  return data;
}

ReportBatch reports_of(const Mechanism& mechanism, const ReleaseParameters& parameters, std::uint64_t seed = 4) {
  const Dataset people = make_blobs(kReports, 3);
  ReportBatch batch(mechanism.release(parameters).value_or_throw());
  SeededEntropy entropy(seed);
  const std::span<const std::int32_t> labels = people.labels;
  batch.privatize(people.values, batch.release().takes_labels() ? labels : labels.first(0), kReports, entropy)
      .or_throw();
  return batch;
}

LearnOptions options_for(LearnMethod method) {
  LearnOptions options;
  options.method = method;
  options.hidden = {16};
  options.prior_points = 100;
  options.codes = 4;
  return options;
}

double share_right(std::span<const float> probabilities) {
  const auto labels = most_probable(probabilities, kKinds);
  double right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += labels[i] == test_records().labels[i] ? 1 : 0;
  return right / static_cast<double>(labels.size());
}

Learnt learn_from(const Mechanism& mechanism, const ReportBatch& reports, const LearnOptions& options) {
  const CollectedData data{mechanism, reports, {}, &public_records(), nullptr, kKinds};
  return learn(data, options).value_or_throw();
}

double accuracy_of(const MechanismSpec& spec, const ReleaseParameters& parameters, LearnMethod method) {
  const Mechanism mechanism = mechanism_of(spec);
  const Learnt learnt = learn_from(mechanism, reports_of(mechanism, parameters), options_for(method));
  return share_right(
      predict(learnt.classifier, mechanism, test_records().values, test_records().rows).value_or_throw());
}

TEST(Learner, LearnsTheKindsFromReportsWithASplitLabelByEveryMethod) {
  for (const LearnMethod method :
       {LearnMethod::kCodes, LearnMethod::kDenoising, LearnMethod::kStudent, LearnMethod::kLabelNoise})
    EXPECT_GT(accuracy_of(lattice_spec(), split("8"), method), 0.85) << name_of(method);
}

TEST(Learner, LearnsFromJointReportsThroughCodes) {
  EXPECT_GT(accuracy_of(lattice_spec(), joint("4"), LearnMethod::kCodes), 0.9);
  EXPECT_GT(accuracy_of(code_spec(), joint("3"), LearnMethod::kCodes), 0.9);
  EXPECT_GT(accuracy_of(code_spec(), joint("3"), LearnMethod::kStudent), 0.9);
}

TEST(Learner, LearnsFromCodesWithASplitLabel) {
  for (const LearnMethod method : {LearnMethod::kCodes, LearnMethod::kStudent, LearnMethod::kLabelNoise})
    EXPECT_GT(accuracy_of(code_spec(), split("5"), method), 0.85) << name_of(method);
}

// A report of Duchi's, of a subset or of a clamped lattice means something else at every epsilon: its length, its range
// and its unbiased estimate change. The classifier must then be right about records as they are.
TEST(Learner, ReadsReportsWithTheEpsilonTheyWereMadeWith) {
  for (const char* text : {"3", "8"}) {
    const MechanismSpec subsets =
        blob_spec(CodebookSpec{{0.7F, 0, -0.7F, 0, 0, 0.7F, 0, -0.7F}}, ChannelFamily::kSubsetSelection);
    EXPECT_GT(accuracy_of(subsets, split(text), LearnMethod::kLabelNoise), 0.8) << text;
  }
  EXPECT_GT(accuracy_of(blob_spec(FeatureBoxSpec{255}, ChannelFamily::kDuchi, identity(twelve_numbers())), split("16"),
                        LearnMethod::kLabelNoise),
            0.8);
  EXPECT_GE(accuracy_of(lattice_spec(), split("0.001"), LearnMethod::kLabelNoise), 0);  // far outside any other window
}

// So that the accuracies above mean something: without information there is nothing to learn.
TEST(Learner, LearnsNextToNothingFromReportsThatSayNothing) {
  EXPECT_LT(accuracy_of(lattice_spec(), split("0.01"), LearnMethod::kLabelNoise), 0.6);
  EXPECT_LT(accuracy_of(lattice_spec(), split("0.01"), LearnMethod::kDenoising), 0.8);
}

TEST(Learner, IsTheSameForTheSameSeedAndSaysWhereItComesFrom) {
  const Mechanism mechanism = mechanism_of(lattice_spec());
  const ReportBatch reports = reports_of(mechanism, split("6"));
  for (const LearnMethod method :
       {LearnMethod::kCodes, LearnMethod::kDenoising, LearnMethod::kStudent, LearnMethod::kLabelNoise}) {
    LearnOptions options = options_for(method);
    const auto values = [&](const Learnt& learnt) {
      return predict(learnt.classifier, mechanism, test_records().values, test_records().rows).value_or_throw();
    };
    const Learnt first = learn_from(mechanism, reports, options);
    EXPECT_EQ(values(first), values(learn_from(mechanism, reports, options))) << name_of(method);
    options.seed = 2;
    EXPECT_NE(values(first), values(learn_from(mechanism, reports, options))) << name_of(method);
    EXPECT_EQ(first.classifier.provenance.at("method"), name_of(method));
    EXPECT_EQ(first.classifier.classes, (std::vector<std::string>{"a", "b", "c", "d"}));
    EXPECT_EQ(first.classifier.mechanism, to_hex(mechanism.id()));
  }
}

TEST(Learner, TakesTheCodesOfACodebookAndAStudentAboveItsEncoder) {
  const Mechanism mechanism = mechanism_of(lattice_spec()), codebook = mechanism_of(code_spec());
  const ReportBatch reports = reports_of(mechanism, joint("4"));
  const CollectedData data{mechanism, reports, {}, &public_records(), &codebook, kKinds};
  const Learnt learnt = learn(data, options_for(LearnMethod::kCodes)).value_or_throw();
  EXPECT_EQ(learnt.diagnostics.at("codes"), 4);
  EXPECT_EQ(learnt.classifier.network.input_width(), kWidth) << "the whole stack, from the record on";
  EXPECT_GT(share_right(predict(learnt.classifier, mechanism, test_records().values, 400).value_or_throw()), 0.9);
}

// Four codes side by side along one feature; the border between the classes runs through the second.
TEST(Learner, AStudentFindsABorderThatRunsThroughACode) {
  constexpr float kBorder = 0.32F;
  const auto make_strip = [](std::size_t rows, std::uint64_t seed) {
    SeededEntropy entropy(seed);
    Dataset data{rows, kWidth, {}, {}};
    for (std::size_t i = 0; i < rows * kWidth; ++i) data.values.push_back(draw_uniform(entropy));
    for (std::size_t row = 0; row < rows; ++row) data.labels.push_back(data.values[row * kWidth] > kBorder ? 1 : 0);
    return data;
  };
  DenseLayer first{kWidth, 1, std::vector<float>(kWidth, 0), {0}, Activation::kNone};
  first.weights[0] = 1;
  MechanismSpec spec = blob_spec(CodebookSpec{{0.125F, 0.375F, 0.625F, 0.875F}}, ChannelFamily::kSubsetSelection,
                                 Network::make(kWidth, {first}).value_or_throw());
  spec.label = LabelSchema{"side", {"left", "right"}};
  const Mechanism mechanism = mechanism_of(spec);
  const Dataset people = make_strip(6000, 1), test = make_strip(2000, 2), known = make_strip(2000, 3);
  ReportBatch reports(mechanism.release(joint("2")).value_or_throw());
  SeededEntropy entropy(4);
  reports.privatize(people.values, people.labels, people.rows, entropy).or_throw();
  const auto accuracy = [&](LearnMethod method) {
    const Learnt learnt = learn({mechanism, reports, {}, &known, nullptr, 2}, options_for(method)).value_or_throw();
    const auto labels =
        most_probable(predict(learnt.classifier, mechanism, test.values, test.rows).value_or_throw(), 2);
    double right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) right += labels[i] == test.labels[i] ? 1 : 0;
    return right / static_cast<double>(labels.size());
  };
  const double student = accuracy(LearnMethod::kStudent);
  EXPECT_GT(student, 0.96);
  EXPECT_GT(student, accuracy(LearnMethod::kCodes) + 0.01) << "codes are taken to be pure";
}

TEST(Learner, LearnsClassifiersOfDecodedRecords) {
  MechanismSpec spec = lattice_spec();
  DenseLayer back{2, kWidth, {}, std::vector<float>(kWidth, 0.15F), Activation::kNone};
  for (std::size_t i = 0; i < kWidth; ++i) {
    const float brightness = i / 3 % 2 == 0 ? 0.7F : -0.7F;
    back.weights.insert(back.weights.end(), {i < 6 ? brightness : 0, i < 6 ? 0 : brightness});
  }
  spec.decoder = Decoder{Network::make(2, {back}).value_or_throw(), OutputMap::kNone};
  const Mechanism mechanism = mechanism_of(spec);
  const auto accuracy = [&](LearnMethod method, const ReleaseParameters& parameters) {
    LearnOptions options = options_for(method);
    options.decoded = true;
    const Learnt learnt = learn_from(mechanism, reports_of(mechanism, parameters), options);
    EXPECT_EQ(learnt.classifier.input, ClassifierInput::kDecoded);
    return share_right(predict(learnt.classifier, mechanism, test_records().values, 400).value_or_throw());
  };
  EXPECT_GT(accuracy(LearnMethod::kLabelNoise, split("12")), 0.85);
  EXPECT_GT(accuracy(LearnMethod::kDenoising, split("8")), 0.85);
  EXPECT_GT(accuracy(LearnMethod::kCodes, joint("4")), 0.9);
}

TEST(Learner, LearnsFromLabelsThatAreKnownWhenNoneAreReleased) {
  const Mechanism mechanism = mechanism_of(lattice_spec());
  const ReportBatch reports = reports_of(mechanism, {epsilon("4")});
  const Dataset people = make_blobs(kReports, 3);
  const CollectedData data{mechanism, reports, people.labels, &public_records(), nullptr, kKinds};
  const Learnt learnt = learn(data, options_for(LearnMethod::kDenoising)).value_or_throw();
  EXPECT_GT(share_right(predict(learnt.classifier, mechanism, test_records().values, 400).value_or_throw()), 0.85);
}

// A quarter of the people is of the last kind, of which there is hardly one among the public records.
TEST(Learner, FindsAKindThatIsRareAmongThePublicRecords) {
  const std::int32_t last = kKinds - 1;
  const Dataset all = make_blobs(600, 1);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < all.rows; ++row)
    if (all.labels[row] != last || row < 20) rows.push_back(row);
  Dataset known = select_rows(all, rows);
  known.labels.clear();
  Dataset people = make_blobs(kReports, 3);
  for (std::int32_t& label : people.labels) label = label == last ? 1 : 0;
  const Mechanism mechanism = mechanism_of(lattice_spec());
  const ReportBatch reports = reports_of(mechanism, {epsilon("4")});
  const CollectedData data{mechanism, reports, people.labels, &known, nullptr, 2};
  LearnOptions options = options_for(LearnMethod::kCodes);
  const Learnt learnt = learn(data, options).value_or_throw();
  const auto labels =
      most_probable(predict(learnt.classifier, mechanism, test_records().values, 400).value_or_throw(), 2);
  std::array<double, 2> right{}, count{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool is_new = test_records().labels[i] == last;
    count[is_new] += 1;
    right[is_new] += (labels[i] == 1) == is_new ? 1 : 0;
  }
  EXPECT_GT(right[0] / count[0], 0.8);
  EXPECT_GT(right[1] / count[1], 0.8);
}

TEST(Learner, ClassifiesReportsAsWellAsTheNoiseAllows) {
  const Mechanism mechanism = mechanism_of(lattice_spec());
  ReportBatch to_classify(mechanism.release({epsilon("12")}).value_or_throw());
  SeededEntropy entropy(9);
  ASSERT_TRUE(to_classify.privatize(test_records().values, {}, test_records().rows, entropy));
  for (const LearnMethod method : {LearnMethod::kCodes, LearnMethod::kDenoising, LearnMethod::kLabelNoise}) {
    const Learnt learnt = learn_from(mechanism, reports_of(mechanism, split("24")), options_for(method));
    const auto probabilities =
        predict_reports(learnt.classifier, mechanism, to_classify, &public_records(), 100, 1).value_or_throw();
    ASSERT_EQ(probabilities.size(), 400 * kKinds);
    for (std::size_t row = 0; row < 400; ++row) {
      float sum = 0;
      for (std::size_t y = 0; y < kKinds; ++y) sum += probabilities[row * kKinds + y];
      ASSERT_NEAR(sum, 1, 1e-4);
    }
    EXPECT_GT(share_right(probabilities), 0.8) << name_of(method);
  }
}

TEST(Learner, RefusesByName) {
  const Mechanism mechanism = mechanism_of(lattice_spec()), other = mechanism_of(code_spec());
  const ReportBatch with_label = reports_of(mechanism, split("4")), joined = reports_of(mechanism, joint("4")),
                    without = reports_of(mechanism, {epsilon("4")}), none(with_label.release());
  const Dataset nobody;
  struct Case {
    const Mechanism& mechanism;
    const ReportBatch& reports;
    const Dataset* auxiliary;
    LearnOptions options;
    const char* words;
  };
  LearnOptions all_held = options_for(LearnMethod::kCodes), few_points = all_held, one_code = all_held;
  LearnOptions none_held = all_held;
  all_held.held_out = 1;
  none_held.held_out = 1e-6;
  few_points.prior_points = 0;
  one_code.codes = 1;
  LearnOptions decoded = options_for(LearnMethod::kStudent);
  decoded.decoded = true;
  const auto codes = options_for(LearnMethod::kCodes), student = options_for(LearnMethod::kStudent),
             denoising = options_for(LearnMethod::kDenoising);
  for (const Case& c : std::vector<Case>{{other, with_label, &public_records(), codes, "reports: of another mechanism"},
                                         {mechanism, none, &public_records(), codes, "reports: learning needs"},
                                         {mechanism, without, &public_records(), codes, "reports: carry no labels"},
                                         {mechanism, joined, &public_records(), denoising, "method:"},
                                         {mechanism, with_label, nullptr, student, "auxiliary:"},
                                         {mechanism, with_label, &nobody, codes, "auxiliary:"},
                                         {mechanism, with_label, &public_records(), decoded, "level feature:"},
                                         {mechanism, with_label, &public_records(), all_held, "held_out:"},
                                         {mechanism, with_label, &public_records(), none_held, "held_out:"},
                                         {mechanism, with_label, &public_records(), few_points, "prior_points"},
                                         {mechanism, with_label, &public_records(), one_code, "codes"}}) {
    const CollectedData data{c.mechanism, c.reports, {}, c.auxiliary, nullptr, kKinds};
    const std::string words = refusal(learn(data, c.options), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(contains(words, c.words)) << words;
  }
  for (const std::size_t classes : {0, 3, 5})
    for (const ReportBatch* reports : {&with_label, &joined}) {
      const CollectedData data{mechanism, *reports, {}, &public_records(), nullptr, classes};
      EXPECT_TRUE(contains(refusal(learn(data, codes), ErrorCode::kInvalidArgument), "classes:")) << classes;
    }
  std::vector<std::int32_t> known(kReports, 0);
  for (const std::int32_t label : {-1, 4}) {
    known.back() = label;
    const CollectedData data{mechanism, without, known, &public_records(), nullptr, kKinds};
    EXPECT_TRUE(contains(refusal(learn(data, student), ErrorCode::kInvalidArgument), "known labels:")) << label;
  }
  const CollectedData no_codebook{mechanism, with_label, {}, &public_records(), &mechanism, kKinds};
  EXPECT_TRUE(contains(refusal(learn(no_codebook, codes), ErrorCode::kInvalidArgument), "codebook:"));
}

TEST(Learner, RefusesToClassifyWhatItCannot) {
  const Mechanism mechanism = mechanism_of(lattice_spec()), other = mechanism_of(code_spec());
  const ReportBatch labelled = reports_of(mechanism, split("24")), plain = reports_of(mechanism, {epsilon("4")}),
                    foreign = reports_of(other, {epsilon("4")});
  const Dataset nobody;
  for (const LearnMethod method : {LearnMethod::kCodes, LearnMethod::kLabelNoise}) {
    SCOPED_TRACE(name_of(method));
    const Classifier classifier = learn_from(mechanism, labelled, options_for(method)).classifier;
    const auto refuses = [&](const Mechanism& with, const ReportBatch& reports, const Dataset* auxiliary) {
      return refusal(predict_reports(classifier, with, reports, auxiliary, 100, 1), ErrorCode::kInvalidArgument);
    };
    EXPECT_TRUE(contains(refuses(mechanism, labelled, &public_records()), "carry labels"));
    EXPECT_TRUE(contains(refuses(other, foreign, &public_records()), "another mechanism"));
    EXPECT_TRUE(contains(refuses(mechanism, foreign, &public_records()), "another mechanism"));
    if (method == LearnMethod::kCodes) {
      EXPECT_TRUE(contains(refuses(mechanism, plain, nullptr), "auxiliary"));
      EXPECT_TRUE(contains(refuses(mechanism, plain, &nobody), "auxiliary"));
    }
    EXPECT_TRUE(contains(refusal(predict(classifier, other, test_records().values, 400), ErrorCode::kInvalidArgument),
                         "another mechanism"));
  }
}

TEST(Learner, NamesItsMethods) {
  for (const LearnMethod method :
       {LearnMethod::kCodes, LearnMethod::kDenoising, LearnMethod::kStudent, LearnMethod::kLabelNoise})
    EXPECT_EQ(learn_method_named(name_of(method)).value_or_throw(), method);
  EXPECT_TRUE(contains(refusal(learn_method_named("guessing"), ErrorCode::kInvalidArgument), "method:"));
}

}  // namespace
}  // namespace sotto
