#include "sotto/train/variational_training.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sotto/data/blobs_test.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto {
namespace {

VariationalTrainingOptions small_options() {
  VariationalTrainingOptions options;
  options.model.dimension = 2;
  options.model.hidden = {16};
  options.model.l1_radius = 5;
  options.model.epsilon_pretrain = 20;
  options.batch = 20;
  options.learning_rate = 3e-3F;
  options.max_epochs = 12;
  options.patience = 12;
  options.seed = 11;
  return options;
}

const auto ignore = [](const EpochSummary&) {};

VariationalFit fit(const VariationalTrainingOptions& options, const EpochProgress& progress = ignore) {
  return train_variational(make_blobs(203, 1), make_blobs(50, 2), options, progress).value_or_throw();
}

bool same_parameters(const VariationalModel& left, const VariationalModel& right) {
  return std::ranges::equal(left.encoder().parameters(), right.encoder().parameters()) &&
         std::ranges::equal(left.decoder().parameters(), right.decoder().parameters());
}

class TemporaryFile {
 public:
  TemporaryFile() : path_(std::filesystem::temp_directory_path() / ("sotto-checkpoint-" + std::to_string(getpid()))) {
    std::filesystem::remove(path_);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(VariationalTraining, RaisesTheElboAndKeepsTheBestEpoch) {
  const VariationalFit result = fit(small_options());
  EXPECT_GT(result.history.back().training.elbo(), result.history.front().training.elbo() + 0.5);
  EXPECT_TRUE(std::ranges::any_of(result.history, &EpochSummary::best));
}

TEST(VariationalTraining, GivesTheSameModelForTheSameSeedAlone) {
  VariationalTrainingOptions options = small_options();
  const VariationalFit first = fit(options), second = fit(options);
  EXPECT_TRUE(same_parameters(first.model, second.model));
  options.seed = 12;
  EXPECT_FALSE(same_parameters(first.model, fit(options).model));
}

TEST(VariationalTraining, GoesOnFromACheckpointToTheSameModel) {
  const TemporaryFile file;
  VariationalTrainingOptions options = small_options();
  options.model.scale = PosteriorScale::kLearnt;
  const VariationalFit whole = fit(options);

  options.checkpoint = file.path();
  struct Interruption {};
  EXPECT_THROW(fit(options,
                   [](const EpochSummary& summary) {
                     if (summary.epoch == 5) throw Interruption{};
                   }),
               Interruption);
  const VariationalFit resumed = fit(options);
  EXPECT_EQ(resumed.history.size(), whole.history.size());
  EXPECT_TRUE(same_parameters(whole.model, resumed.model));
}

TEST(VariationalTraining, RefusesACheckpointOfAnotherRunAndADamagedOne) {
  const TemporaryFile file;
  VariationalTrainingOptions options = small_options();
  options.checkpoint = file.path();
  fit(options);
  options.seed = 99;
  const auto other = train_variational(make_blobs(203, 1), make_blobs(50, 2), options, ignore);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kCorruptFile);

  std::ofstream(file.path(), std::ios::binary) << "not a checkpoint";
  EXPECT_FALSE(train_variational(make_blobs(203, 1), make_blobs(50, 2), options, ignore));
}

TEST(VariationalTraining, StopsWhenTheValidationElboNoLongerImproves) {
  VariationalTrainingOptions options = small_options();
  options.learning_rate = 1e-9F;  // nothing will move
  options.max_epochs = 50;
  options.patience = 3;
  EXPECT_LE(fit(options).history.size(), 20U);
}

TEST(VariationalTraining, NamesTheOptionThatIsWrong) {
  const Dataset data = make_blobs(20, 1);
  const auto message = [&](auto change) {
    VariationalTrainingOptions options = small_options();
    change(options);
    const auto result = train_variational(data, data, options, ignore);
    return result ? std::string("accepted") : result.error().message;
  };
  EXPECT_NE(message([](auto& o) { o.model.epsilon_pretrain = 0; }).find("epsilon_pretrain"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.model.l1_radius = -1; }).find("l1_radius"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.model.hidden = {4, 0}; }).find("hidden"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.learning_rate = 0; }).find("learning_rate"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.model.dimension = 0; }).find("dimension"), std::string::npos);
}

TEST(VariationalTraining, ReportsACollapsedLatent) {
  VariationalModelOptions options;
  options.l1_radius = 10;
  EXPECT_TRUE(has_collapsed({0, 0, 0.1}, options));
  EXPECT_FALSE(has_collapsed({0, 0, 9}, options));
}

TEST(VariationalTraining, YieldsAMechanismThatComputesWhatTheModelComputes) {
  const VariationalFit result = fit(small_options());
  InputSchema input;
  for (int i = 0; i < 12; ++i) input.columns.push_back({"c" + std::to_string(i), Column::Kind::kNumeric, 0, 1, {}});
  const auto spec =
      to_mechanism(result.model, input, std::nullopt, std::int64_t{1} << 16, {{"method", "vrlm"}}).value_or_throw();
  const Mechanism mechanism = Mechanism::make(spec).value_or_throw();
  const Mechanism read_back = Mechanism::from_bytes(mechanism.bytes()).value_or_throw();
  const Dataset data = make_blobs(8, 3);
  std::vector<float> encodings(data.rows * 2);
  Network::Workspace workspace;
  read_back.spec().encoder.encode(data.values, data.rows, encodings, workspace);
  TrainableNetwork::Pass pass;
  const auto expected = result.model.encoder().forward(data.values, data.rows, pass);
  for (std::size_t i = 0; i < encodings.size(); ++i) EXPECT_NEAR(encodings[i], expected[i], 1e-5);
  EXPECT_TRUE(read_back.spec().decoder.has_value());
}

}  // namespace
}  // namespace sotto
