// One epoch of the convolutional contrastive encoder, augmentation included, against the same in stock PyTorch. Views
// are drawn at random on both sides, so that losses agree as two runs with other seeds do; that gradients are the same
// is a test's business (libtorch_reference_test.cpp). Then how fast the encoder that came of it encodes, beside what
// the machine can multiply.
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "contest.h"
#include "contest_images.h"
#include "machine_limits.h"
#include "rival_process.h"
#include "sotto/backprop/encode_all.h"
#include "sotto/data/npy.h"
#include "sotto/train/contrastive_training.h"

namespace sotto::bench {
namespace {

constexpr double kTolerance = 0.05;  // of the epoch's mean loss, relative; two seeds of ours differ by less than half

struct Turn {
  double seconds, loss;
};

struct OurTurn : Turn {
  double encoding_seconds;
};

ContrastiveTrainingOptions training_options() {
  ContrastiveTrainingOptions options;
  make_convolutional(options);
  options.views.augmentation = kViewsOfDigits;
  options.epochs = 1;
  return options;
}

OurTurn train_ours(const Dataset& images) {
  const InputSchema schema{.image = ImageShape{1, kSide, kSide}, .columns = {}};
  OurTurn turn{};
  std::optional<Network> encoder;
  turn.seconds = seconds_of([&] {
    encoder = train_contrastive(images, schema, training_options(), [&](const LossEpoch& epoch) {
                turn.loss = epoch.loss;
              }).value_or_throw();
  });
  turn.encoding_seconds = seconds_of([&] { encode_all(*encoder, images.values, images.rows); });
  return turn;
}

// The rate in the middle of the schedule, which is that of the only epoch.
double rate_of_one_epoch() {
  return static_cast<double>(training_options().learning_rate) * 0.5 * (1 + std::cos(std::numbers::pi * 0.4 / 0.9));
}

Turn train_rival(RivalProcess& rival, std::size_t rows) {
  const ContrastiveTrainingOptions options = training_options();
  const nlohmann::json answer = rival.ask({{"task", "contrast"},
                                           {"rows", rows},
                                           {"batch", options.batch},
                                           {"temperature", options.temperature},
                                           {"rate", rate_of_one_epoch()}});
  return {answer["seconds"], answer["loss"]};
}

// Multiplications of the encoder's layers.
constexpr double kFirst = 14 * 14 * 16 * 25.0, kSecond = 7 * 7 * 32 * 16 * 9.0, kThird = 4 * 4 * 64 * 32 * 9.0,
                 kDense = 1024 * 128.0;

double gflop_an_encoding() { return 2e-9 * (kFirst + kSecond + kThird + kDense); }

// Of one view, forward and backward: three times the forward pass, less the gradient of the pixels.
double gflop_a_view() {
  constexpr double kProjection = 128 * 128 + 128 * 64;
  return 2e-9 * (2 * kFirst + 3 * (kSecond + kThird + kDense + kProjection));
}

}  // namespace

nlohmann::json run_contrastive_contest(const ContestOptions& options, std::ostream& out) {
  const std::size_t rows = options.quick ? 1024 : 45'000;
  const Dataset images = contest_images(options, rows);
  write_npy(options.directory / "images.npy", images.values, kPixels).or_throw();
  const std::string data = name_of_images(options, rows);
  out << "\nContrasting: one epoch of the convolutional encoder, batch " << training_options().batch
      << ", views included, on " << data << "\n";

  std::array<RivalProcess, 2> rivals{RivalProcess(options.directory, 1), RivalProcess(options.directory, 2)};
  const std::size_t few = std::min<std::size_t>(rows, 4096);
  RivalProcess* rival = nullptr;
  double least = 0;
  for (RivalProcess& candidate : rivals) {
    train_rival(candidate, few);  // to warm up
    const double seconds = train_rival(candidate, few).seconds;
    out << "  PyTorch, " << candidate.threads() << " threads: " << 1e3 * seconds / static_cast<double>(few)
        << " ms a record\n";
    if (rival == nullptr || seconds < least) {
      rival = &candidate;
      least = seconds;
    }
  }
  std::vector<double> ours, theirs, encoding, gemm;
  double disagreement = 0;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    const OurTurn our_turn = train_ours(images);
    const Turn their_turn = train_rival(*rival, rows);
    disagreement = std::max(disagreement, std::abs(our_turn.loss / their_turn.loss - 1));
    ours.push_back(our_turn.seconds);
    theirs.push_back(their_turn.seconds);
    encoding.push_back(our_turn.encoding_seconds);
    gemm.push_back(matrix_product_gflops());
  }
  if (!options.quick && !(disagreement <= kTolerance))
    throw std::runtime_error("contrasting: the losses disagree by " + std::to_string(disagreement) + " relative");
  const Interval ratio = ratio_of(theirs, ours), our_seconds = interval_of(ours), their_seconds = interval_of(theirs);
  const auto records = static_cast<double>(rows);
  const double rate = 2 * records * gflop_a_view() / our_seconds.median, limit = interval_of(gemm).median;
  const double encoding_rate = records * gflop_an_encoding() / interval_of(encoding).median;
  out << "  sotto " << our_seconds << " s, PyTorch with " << rival->threads() << " threads " << their_seconds
      << " s\n  " << ratio << " times as fast: median [least, most] of " << options.rounds << " rounds in turns\n  "
      << rate << " GFLOP/s, " << 100 * rate / limit << " % of the " << limit
      << " of square matrix products on two threads\n  losses agree to " << disagreement
      << " relative\n  encoding: " << records / interval_of(encoding).median << " records/s, " << encoding_rate
      << " GFLOP/s, " << 100 * encoding_rate / limit << " %\n";
  return {{"data", data},
          {"rival", "PyTorch, " + std::to_string(rival->threads()) + " threads"},
          {"rounds", options.rounds},
          {"seconds", to_json(our_seconds)},
          {"rival_seconds", to_json(their_seconds)},
          {"ratio", to_json(ratio)},
          {"gflops", rate},
          {"gemm_share", rate / limit},
          {"encodings_per_second", records / interval_of(encoding).median},
          {"encoding_gemm_share", encoding_rate / limit},
          {"loss_disagreement", disagreement}};
}

}  // namespace sotto::bench
