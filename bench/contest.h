// What the contests of sotto_learning_bench share: rounds in which ours and the rivals take turns, and the ratios
// within a round.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

namespace sotto::bench {

struct ContestOptions {
  bool quick = false;               // sizes that take seconds: does it all work?
  std::size_t rounds = 7;           // counted ones, after one to warm up
  std::filesystem::path directory;  // for arrays that the rivals read
  std::filesystem::path mnist;      // empty: synthetic images
};

// They print their story to `out` and return the same as JSON, and throw std::runtime_error when answers disagree: a
// fast wrong answer is no answer.
nlohmann::json run_training_contest(const ContestOptions& options, std::ostream& out);
nlohmann::json run_contrastive_contest(const ContestOptions& options, std::ostream& out);
nlohmann::json run_denoising_contest(const ContestOptions& options, std::ostream& out);

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Interval {
  double median, least, most;
};

inline Interval interval_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t upper = values.size() / 2, lower = (values.size() - 1) / 2;
  return {(values[lower] + values[upper]) / 2, values.front(), values.back()};
}

inline Interval ratio_of(const std::vector<double>& theirs, const std::vector<double>& ours) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < ours.size(); ++round) ratios.push_back(theirs[round] / ours[round]);
  return interval_of(std::move(ratios));
}

inline nlohmann::json to_json(const Interval& interval) {
  return {{"median", interval.median}, {"least", interval.least}, {"most", interval.most}};
}

inline std::ostream& operator<<(std::ostream& out, const Interval& interval) {
  return out << interval.median << " [" << interval.least << ", " << interval.most << "]";
}

}  // namespace sotto::bench
