#include "rivalry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <sstream>
#include <string>

namespace sotto::bench {
namespace {

constexpr int kRounds = 41;
constexpr double kSecondsPerTurn = 0.004;
constexpr std::size_t kBatch = 1024;

// One sampler over all rounds.
struct Record {
  std::vector<double> rates;  // draws per second, one per round
  double draws = 0, sum = 0, squares = 0, fourth = 0;

  void add(std::span<const double> values, double centre) {
    for (const double value : values) {
      const double x = value - centre;
      sum += x;
      squares += x * x;
      fourth += x * x * x * x;
    }
    draws += static_cast<double>(values.size());
  }

  // Mean and variance within six standard errors, the latter's from the fourth moment: one false alarm in 10^8.
  bool is_right(double variance) const {
    const double mean_error = std::sqrt(squares / draws / draws);
    const double variance_error = std::sqrt((fourth / draws - squares / draws * squares / draws) / draws);
    return std::abs(sum / draws) <= 6 * mean_error && std::abs(squares / draws - variance) <= 6 * variance_error;
  }
};

// Of this thread, the kernel's work for it included: others on the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void take_turn(const Sampler& sampler, Record& record) {
  std::vector<double> values(kBatch);
  double seconds = 0, draws = 0;
  while (seconds < kSecondsPerTurn) {
    const double start = processor_seconds();
    sampler.draw(values);
    seconds += processor_seconds() - start;
    draws += kBatch;
    record.add(values, sampler.mean);
  }
  record.rates.push_back(draws / seconds);
}

struct Quantiles {
  double low, median, high;  // 10 %, 50 %, 90 %
};

Quantiles quantiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(0.1), at(0.5), at(0.9)};
}

std::string text(double value, int places) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(places) << value;
  return out.str();
}

std::string ratio(const Record& ours, const Record& theirs) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < ours.rates.size(); ++round)
    ratios.push_back(ours.rates[round] / theirs.rates[round]);
  const Quantiles q = quantiles(std::move(ratios));
  return text(q.median, 2) + " [" + text(q.low, 2) + ", " + text(q.high, 2) + "]";
}

void row(std::ostream& out, const std::array<std::string, 6>& cells) {
  out << std::left << std::setw(37) << cells[0] << std::right << std::setw(8) << cells[1] << std::setw(12) << cells[2]
      << std::setw(10) << cells[3] << std::setw(21) << cells[4] << std::setw(21) << cells[5] << '\n';
}

}  // namespace

bool compare_rivals(const std::vector<Sampler>& samplers, std::ostream& out) {
  std::vector<Record> records(samplers.size());
  for (int round = 0; round < kRounds; ++round)
    for (std::size_t i = 0; i < samplers.size(); ++i) take_turn(samplers[i], records[i]);

  const double raw_bytes_per_second = 8 * quantiles(records[0].rates).median;
  out << "\nMillions of draws per processor second on one core: median of " << kRounds
      << " rounds in which all take turns.\n"
      << "of limit: bytes per draw x rate, against the " << text(raw_bytes_per_second / 1e6, 0)
      << " MB/s that the operating system gives. Ratios of rates within a\nround: median [10 %, 90 %].\n\n";
  row(out, {"sampler", "M/s", "bytes/draw", "of limit", "to float rival", "to discrete Laplace"});
  bool all_right = true;
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    const double rate = quantiles(records[i].rates).median;
    const double bytes = static_cast<double>(samplers[i].bytes_taken()) / records[i].draws;
    const auto rival = std::find_if(samplers.begin(), samplers.end(),
                                    [&](const Sampler& other) { return other.name == samplers[i].rival; });
    const bool is_right = records[i].is_right(samplers[i].variance);
    all_right = all_right && is_right;
    row(out,
        {samplers[i].name, text(rate / 1e6, 2), text(bytes, 2),
         text(100 * bytes * rate / raw_bytes_per_second, 0) + " %",
         rival == samplers.end() ? "" : ratio(records[i], records[static_cast<std::size_t>(rival - samplers.begin())]),
         ratio(records[i], records[1]) + (is_right ? "" : "   WRONG mean or variance")});
  }
  return all_right;
}

}  // namespace sotto::bench
