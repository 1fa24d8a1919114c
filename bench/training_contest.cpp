// One epoch of the paper's MNIST model against stock PyTorch: the same initial weights, order of records and noise.
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "contest.h"
#include "contest_images.h"
#include "machine_limits.h"
#include "rival_process.h"
#include "sotto/backprop/minibatches.h"
#include "sotto/backprop/random.h"
#include "sotto/data/dataset.h"
#include "sotto/data/npy.h"
#include "sotto/data/permutation.h"
#include "sotto/train/variational_model.h"

namespace sotto::bench {
namespace {

constexpr std::size_t kBatch = 64;
constexpr float kRate = 5e-4F;
constexpr std::size_t kCheckedSteps = 50;
constexpr double kTolerance = 1e-3;

VariationalModelOptions model_options() {
  VariationalModelOptions options;  // 784-400-150-50-8 and back, Bernoulli pixels
  options.epsilon_pretrain = 10;    // b = 1
  return options;
}

VariationalModel initial_model() {
  SeededEntropy entropy(1);
  return {kPixels, model_options(), entropy};
}

struct Problem {
  Dataset records;
  std::vector<std::uint32_t> order;
  std::size_t steps() const { return (order.size() + kBatch - 1) / kBatch; }
};

std::array<SeededEntropy, kLanes> noise_of_lanes() { return {SeededEntropy(3), SeededEntropy(4)}; }

// In the order of the records, what the lanes will draw: each the noise of its half of every batch.
std::vector<float> noise_in_order(std::size_t records, std::size_t dimension) {
  auto entropies = noise_of_lanes();
  std::vector<float> noise(records * dimension);
  run_lanes([&](Lane& lane) {
    for (std::size_t begin = 0; begin < records; begin += kBatch) {
      const auto part = lane.part_of(std::min(kBatch, records - begin));
      for (std::size_t i = (begin + part.begin) * dimension; i < (begin + part.end) * dimension; ++i)
        noise[i] = draw_standard_laplace(entropies[lane.index()]);
    }
  });
  return noise;
}

void write_for_rivals(const Problem& problem, const std::filesystem::path& directory) {
  const VariationalModel model = initial_model();
  const std::size_t dimension = model.options().dimension;
  write_npy(directory / "records.npy", problem.records.values, kPixels).or_throw();
  const std::vector<std::int32_t> order(problem.order.begin(), problem.order.end());
  write_npy(directory / "order.npy", order).or_throw();
  write_npy(directory / "noise.npy", noise_in_order(order.size(), dimension), dimension).or_throw();
  write_npy(directory / "encoder.npy", model.encoder().parameters(), 1).or_throw();
  write_npy(directory / "decoder.npy", model.decoder().parameters(), 1).or_throw();
}

struct Turn {
  double seconds = 0;
  std::vector<double> losses;  // of every step
};

Turn train_ours(const Problem& problem, std::size_t steps) {
  VariationalModel model = initial_model();
  Adam encoder_adam(model.encoder().parameters().size(), {.learning_rate = kRate});
  Adam decoder_adam(model.decoder().parameters().size(), {.learning_rate = kRate});
  std::array<VariationalModel::Lap, kLanes> laps;
  const std::array groups{
      ParameterGroup{
          &encoder_adam, model.encoder().parameters(), {&laps[0].encoder_gradient, &laps[1].encoder_gradient}},
      ParameterGroup{
          &decoder_adam, model.decoder().parameters(), {&laps[0].decoder_gradient, &laps[1].decoder_gradient}}};
  auto entropies = noise_of_lanes();
  std::array<std::vector<float>, kLanes> gathered;
  std::array<std::vector<double>, kLanes> losses;
  Turn turn;
  turn.seconds = seconds_of([&] {
    minibatch_epoch(std::span(problem.order).first(std::min(steps * kBatch, problem.order.size())), kBatch, groups,
                    [&](std::size_t lane, std::span<const std::uint32_t> rows, float weight) {
                      gather_rows(problem.records.values, kPixels, rows, gathered[lane]);
                      const Objective sum =
                          model.differentiate(gathered[lane], rows.size(), weight, entropies[lane], laps[lane]);
                      losses[lane].push_back(-static_cast<double>(weight) * sum.elbo());
                    });
  });
  for (std::size_t step = 0; step < losses[0].size(); ++step) turn.losses.push_back(losses[0][step] + losses[1][step]);
  return turn;
}

// Stock PyTorch with one setting of what it leaves to its user.
struct Rival {
  RivalProcess* process;
  bool foreach;
  std::string name() const {
    return "PyTorch, " + std::to_string(process->threads()) + " threads, foreach " + (foreach ? "on" : "off");
  }
};

Turn train_rival(const Rival& rival, std::size_t steps) {
  const VariationalModel model = initial_model();
  std::vector<std::size_t> widths{kPixels};
  for (const LayerShape& layer : model.encoder().layers()) widths.push_back(layer.outputs);
  const nlohmann::json answer = rival.process->ask({{"task", "train"},
                                                    {"widths", widths},
                                                    {"batch", kBatch},
                                                    {"steps", steps},
                                                    {"rate", kRate},
                                                    {"radius", model.options().l1_radius},
                                                    {"scale", model.scale()},
                                                    {"foreach", rival.foreach}});
  return {answer["seconds"], answer["losses"]};
}

Rival choose_best(std::span<const Rival> rivals, std::size_t steps, std::ostream& out) {
  std::optional<Rival> best;
  double least = 0;
  for (const Rival& rival : rivals) {
    train_rival(rival, steps);  // to warm up
    const double seconds = std::min(train_rival(rival, steps).seconds, train_rival(rival, steps).seconds);
    out << "  " << rival.name() << ": " << 1e3 * seconds / static_cast<double>(steps) << " ms a step\n";
    if (!best || seconds < least) {
      best = rival;
      least = seconds;
    }
  }
  return *best;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// The first steps one by one; later ones drift apart as rounding grows, so that the epoch's mean stands for them.
double worst_disagreement(const Turn& ours, const Turn& theirs) {
  const auto relative = [](double left, double right) { return std::abs(left - right) / std::abs(right); };
  double worst = relative(mean_of(ours.losses), mean_of(theirs.losses));
  for (std::size_t step = 0; step < std::min(kCheckedSteps, ours.losses.size()); ++step)
    worst = std::max(worst, relative(ours.losses[step], theirs.losses[step]));
  if (!(worst <= kTolerance))
    throw std::runtime_error("training: the losses disagree by " + std::to_string(worst) + " relative, more than " +
                             std::to_string(kTolerance));
  return worst;
}

// Additions and multiplications of the matrix products: forward, both gradients, less the one of the pixels.
double epoch_gflop(std::size_t records) {
  const VariationalModel model = initial_model();
  const auto weights = static_cast<double>(model.encoder().parameters().size() + model.decoder().parameters().size());
  const auto first = static_cast<double>(kPixels * model.encoder().layers()[0].outputs);
  return 1e-9 * static_cast<double>(records) * (6 * weights - 2 * first);
}

}  // namespace

nlohmann::json run_training_contest(const ContestOptions& options, std::ostream& out) {
  const std::size_t rows = options.quick ? 640 : 45'000;
  Problem problem{contest_images(options, rows), {}};
  problem.order = permutation(static_cast<std::uint32_t>(rows), 5);
  write_for_rivals(problem, options.directory);
  const std::string data = name_of_images(options, rows);
  out << "\nTraining: one epoch of 784-400-150-50-8 and back, batch 64, on " << data << "\n";

  RivalProcess one(options.directory, 1), two(options.directory, 2);
  const std::array rivals{Rival{&one, false}, Rival{&one, true}, Rival{&two, false}, Rival{&two, true}};
  const Rival rival = choose_best(rivals, options.quick ? 3 : 50, out);

  std::vector<double> ours, theirs, gemm;
  double disagreement = 0;
  for (std::size_t round = 0; round <= options.rounds; ++round) {
    const Turn our_turn = train_ours(problem, problem.steps()), their_turn = train_rival(rival, problem.steps());
    disagreement = std::max(disagreement, worst_disagreement(our_turn, their_turn));
    if (round == 0) continue;  // to warm up
    ours.push_back(our_turn.seconds);
    theirs.push_back(their_turn.seconds);
    gemm.push_back(matrix_product_gflops());
  }
  const Interval ratio = ratio_of(theirs, ours), our_seconds = interval_of(ours), their_seconds = interval_of(theirs);
  const double rate = epoch_gflop(rows) / our_seconds.median, gemm_rate = interval_of(gemm).median;
  out << "  sotto " << our_seconds << " s, " << rival.name() << " " << their_seconds << " s\n  " << ratio
      << " times as fast: median [least, most] of " << options.rounds << " rounds in turns\n  " << rate << " GFLOP/s, "
      << 100 * rate / gemm_rate << " % of the " << gemm_rate
      << " of square matrix products on two threads\n  losses agree to " << std::scientific << disagreement
      << std::fixed << " relative\n";
  return {{"data", data},
          {"rival", rival.name()},
          {"rounds", options.rounds},
          {"seconds", to_json(our_seconds)},
          {"rival_seconds", to_json(their_seconds)},
          {"ratio", to_json(ratio)},
          {"gflops", rate},
          {"gemm_gflops", gemm_rate},
          {"gemm_share", rate / gemm_rate},
          {"loss_disagreement", disagreement}};
}

}  // namespace sotto::bench
