// The denoising pass against the same formula in NumPy and PyTorch.
#include <malloc.h>

#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "contest.h"
#include "machine_limits.h"
#include "rival_process.h"
#include "sotto/backprop/random.h"
#include "sotto/channel/lattice_laplace.h"
#include "sotto/channel/randomized_response.h"
#include "sotto/data/npy.h"
#include "sotto/learn/denoising_pass.h"
#include "sotto/learn/report_set.h"

namespace sotto::bench {
namespace {

constexpr std::size_t kDimension = 8, kClasses = 10;
constexpr double kTolerance = 1e-4;
constexpr const char* kEpsilon = "8";
constexpr L1Ball kBall{kDimension, 4096};
// Of our pass, for each pair of report and point, a multiply-add being one: two for each coordinate and two more for a
// distance, 13 for an exponential, one for the sum and one for the gradient.
constexpr double kOperations = 2 * kDimension + 2 + 13 + 2;

struct Problem {
  ReportSet reports;
  std::vector<std::int64_t> points;
  LabelNoise noise;
  std::vector<float> joint;
  double rate;  // of the noise, per step of the lattice
};

std::unique_ptr<Channel> make_channel() {
  return make_lattice_laplace(kBall, Epsilon::parse(kEpsilon).value_or_throw()).value_or_throw();
}

// On the sphere, where V-RLM puts most of its latents.
std::vector<std::int64_t> draw_points(std::size_t count, SeededEntropy& entropy) {
  std::vector<std::int64_t> points;
  for (std::size_t m = 0; m < count; ++m) {
    std::array<float, kDimension> place{};
    float norm = 0;
    for (float& value : place) norm += std::abs(value = draw_standard_laplace(entropy));
    for (const float value : place) points.push_back(static_cast<std::int64_t>(value / norm * kBall.resolution));
  }
  return points;
}

Problem make_problem(std::size_t reports, std::size_t points) {
  SeededEntropy entropy(1);
  const auto channel = make_channel();
  const auto responses = make_randomized_response(kClasses, Epsilon::parse("2").value_or_throw()).value_or_throw();
  Problem problem{{}, draw_points(points, entropy), label_noise_of(*responses, kClasses), {}, 0};
  problem.rate = channel->claim().epsilon.to_double() / static_cast<double>(2 * kBall.resolution);
  problem.reports.features.resize(reports * kDimension);
  const auto reported = draw_points(reports, entropy);
  for (std::size_t n = 0; n < reports; ++n) {
    const std::size_t place = n * kDimension;
    channel->sample(std::span(reported).subspan(place, kDimension), entropy,
                    std::span(problem.reports.features).subspan(place, kDimension));
    problem.reports.labels.push_back(static_cast<std::int32_t>(entropy.take<std::uint64_t>() % kClasses));
  }
  for (std::size_t i = 0; i < points * kClasses; ++i)
    problem.joint.push_back(2 * draw_uniform(entropy) / static_cast<float>(points * kClasses));
  return problem;
}

void write_for_rivals(const Problem& problem, const std::filesystem::path& directory) {
  const auto in_units_of_noise = [&](std::span<const std::int64_t> values) {
    std::vector<float> scaled;
    for (const std::int64_t value : values)
      scaled.push_back(static_cast<float>(problem.rate * static_cast<double>(value)));
    return scaled;
  };
  write_npy(directory / "reports.npy", in_units_of_noise(problem.reports.features), kDimension).or_throw();
  write_npy(directory / "points.npy", in_units_of_noise(problem.points), kDimension).or_throw();
  write_npy(directory / "joint.npy", problem.joint, kClasses).or_throw();
  write_npy(directory / "label_noise.npy", problem.noise.probability, kClasses).or_throw();
  write_npy(directory / "noisy_labels.npy", problem.reports.labels).or_throw();
}

struct Turn {
  double seconds = 0, bytes = 0;
  DenoisingPassResult result;
};

// Of this process, in bytes; `name` is VmRSS (now) or VmHWM (at most since the last reset).
double resident_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return 1024 * std::stod(line.substr(name.size() + 1));
  throw std::runtime_error("denoising: no " + name + " in /proc/self/status");
}

Turn denoise_ours(const Problem& problem) {
  const auto channel = make_channel();
  Turn turn;
  // What is free goes back to the system, now and when something large is freed, or memory that earlier work left
  // behind would be used unseen.
  mallopt(M_MMAP_THRESHOLD, 1 << 17);
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // resets VmHWM
  const double before = resident_bytes("VmRSS");
  turn.seconds = seconds_of([&] {
    const ReportSet sorted = sorted_by_label(problem.reports);
    const auto likelihood = make_report_likelihood(*channel, sorted.features, problem.points);
    turn.result = denoising_pass(*likelihood, sorted.labels, problem.noise, problem.joint);
  });
  turn.bytes = resident_bytes("VmHWM") - before;
  return turn;
}

struct Rival {
  RivalProcess* process;
  std::string library;
  std::size_t block;
  std::string name() const {
    return (library == "numpy" ? "NumPy, " : "PyTorch, ") + std::to_string(process->threads()) +
           " threads, blocks of " + std::to_string(block);
  }
};

Turn denoise_rival(const Rival& rival, const Problem& problem, std::size_t rows,
                   const std::filesystem::path& directory) {
  const nlohmann::json answer =
      rival.process->ask({{"task", "denoise"}, {"library", rival.library}, {"block", rival.block}, {"rows", rows}});
  Turn turn{answer["seconds"], answer["bytes"], {}};
  // What does not depend on the point is no part of the rivals' sum.
  turn.result.log_likelihood =
      answer["log_likelihood"].get<double>() + kDimension * std::log(std::tanh(problem.rate / 2));
  turn.result.gradient.resize(problem.joint.size());
  std::ifstream file(directory / "gradient.bin", std::ios::binary);
  const auto bytes = static_cast<std::streamsize>(turn.result.gradient.size() * sizeof(float));
  if (!file.read(reinterpret_cast<char*>(turn.result.gradient.data()), bytes))
    throw std::runtime_error("denoising: the rival's gradient is missing");
  return turn;
}

// The best number of threads and size of block, on some of the reports.
Rival choose_rival(const std::string& library, std::span<RivalProcess* const> processes, const Problem& problem,
                   const std::filesystem::path& directory) {
  const std::size_t rows = std::min<std::size_t>(problem.reports.labels.size(), 2048);
  std::optional<Rival> best;
  double least = 0;
  for (RivalProcess* process : processes)
    for (const std::size_t block : {32, 128, 256, 512}) {
      const Rival rival{process, library, block};
      denoise_rival(rival, problem, rows, directory);  // to warm up
      const double seconds = std::min(denoise_rival(rival, problem, rows, directory).seconds,
                                      denoise_rival(rival, problem, rows, directory).seconds);
      if (!best || seconds < least) {
        best = rival;
        least = seconds;
      }
    }
  return *best;
}

// The gradient relative to its root mean square: single entries of it may be next to nothing.
double disagreement(const DenoisingPassResult& ours, const DenoisingPassResult& theirs) {
  double squares = 0, worst = 0;
  for (std::size_t i = 0; i < ours.gradient.size(); ++i) {
    const auto left = static_cast<double>(ours.gradient[i]), right = static_cast<double>(theirs.gradient[i]);
    squares += right * right;
    worst = std::max(worst, std::abs(left - right));
  }
  worst /= std::sqrt(squares / static_cast<double>(ours.gradient.size()));
  worst = std::max(worst, std::abs(ours.log_likelihood / theirs.log_likelihood - 1));
  if (!(worst <= kTolerance))
    throw std::runtime_error("denoising: the results disagree by " + std::to_string(worst) + ", more than " +
                             std::to_string(kTolerance));
  return worst;
}

}  // namespace

nlohmann::json run_denoising_contest(const ContestOptions& options, std::ostream& out) {
  const std::size_t reports = options.quick ? 300 : 13'500, points = options.quick ? 2'000 : 45'000;
  const Problem problem = make_problem(reports, points);
  write_for_rivals(problem, options.directory);
  out << "\nDenoising: " << reports << " reports, " << points << " public points, " << kDimension << " coordinates, "
      << kClasses << " classes\n";
  RivalProcess one(options.directory, 1), two(options.directory, 2);
  const std::array processes{&one, &two};
  const std::array rivals{choose_rival("numpy", processes, problem, options.directory),
                          choose_rival("torch", processes, problem, options.directory)};

  const Turn first = denoise_ours(problem);
  std::vector<double> ours, multiply_adds;
  std::array<std::vector<double>, 2> theirs;
  std::array<double, 2> bytes{};
  double worst = 0;
  for (std::size_t round = 0; round < options.rounds; ++round)
    for (std::size_t i = 0; i < rivals.size(); ++i) {
      if (i == 0) {
        ours.push_back(denoise_ours(problem).seconds);
        multiply_adds.push_back(multiply_adds_per_second());
      }
      const Turn turn = denoise_rival(rivals[i], problem, reports, options.directory);
      theirs[i].push_back(turn.seconds);
      bytes[i] = std::max(bytes[i], turn.bytes);
      worst = std::max(worst, disagreement(first.result, turn.result));
    }

  const Interval seconds = interval_of(ours);
  const double pairs = static_cast<double>(reports * points);
  const double rate = pairs * kOperations / seconds.median, peak = interval_of(multiply_adds).median;
  out << "  sotto " << seconds << " s, " << 1e-6 * first.bytes << " MB\n  " << 1e-9 * rate << " G operations/s, "
      << 100 * rate / peak << " % of the " << 1e-9 * peak << " G multiply-adds/s of two threads\n";
  nlohmann::json document{{"reports", reports},          {"points", points},         {"rounds", options.rounds},
                          {"seconds", to_json(seconds)}, {"bytes", first.bytes},     {"gops", 1e-9 * rate},
                          {"peak_gops", 1e-9 * peak},    {"peak_share", rate / peak}};
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const Interval ratio = ratio_of(theirs[i], ours), rival_seconds = interval_of(theirs[i]);
    out << "  " << rivals[i].name() << ": " << rival_seconds << " s, " << 1e-6 * bytes[i] << " MB; sotto is " << ratio
        << " times as fast\n";
    document["rivals"].push_back({{"rival", rivals[i].name()},
                                  {"seconds", to_json(rival_seconds)},
                                  {"bytes", bytes[i]},
                                  {"ratio", to_json(ratio)}});
  }
  out << "  results agree to " << std::scientific << worst << std::fixed << "\n";
  document["disagreement"] = worst;
  return document;
}

}  // namespace sotto::bench
