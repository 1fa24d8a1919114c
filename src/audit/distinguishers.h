// What an attacker looks at in a report: features, each of which sorts reports into cells. Any set of cells of one
// feature is an event, and an event that is much likelier under one record than under another refutes a claim.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sotto/audit/tuples.h"

namespace sotto {

enum class Distinguisher {
  kLikelihoodRatio,  // log P(report|record 0) − log P(report|record 1), if the attacker knows the law
  kHistogram,        // quantiles of each coordinate
  kBitPattern,  // low byte and trailing zero bits of each coordinate; read as a double, trailing zeros per exponent
  kExactValue,  // hashes of each coordinate and of the whole report: outputs that only one record can have
};
inline constexpr std::size_t kDistinguishers = 4;
const char* name(Distinguisher distinguisher);

struct Feature {
  Distinguisher distinguisher;
  std::string name;
  std::size_t first_cell, cells;
};

// A report's score; large values speak for record 0.
using Scorer = std::function<double(Report)>;

// Constant time and no allocation per report. Coordinates beyond the first 256 are seen by the score and the hash of
// the whole report only, which bounds the memory for the counts.
class ReportFeatures {
 public:
  // Quantiles are taken from the pilot reports. `score` may be empty.
  ReportFeatures(const Tuples& pilot, Scorer score);

  const std::vector<Feature>& features() const { return features_; }
  std::size_t cells() const { return features_.back().first_cell + features_.back().cells; }

  // Adds one to the report's cell of every feature. `counts` has cells() elements.
  void count(Report report, std::span<std::uint32_t> counts) const;

 private:
  static constexpr std::size_t kQuantiles = 64;
  static constexpr std::size_t kScoreQuantiles = 256;

  void add(Distinguisher distinguisher, const std::string& name, std::size_t cells);

  std::size_t coordinates_;
  std::vector<std::array<std::int64_t, kQuantiles - 1>> quantiles_;
  Scorer score_;
  std::array<double, kScoreQuantiles - 1> score_quantiles_;
  std::vector<Feature> features_;
};

}  // namespace sotto
