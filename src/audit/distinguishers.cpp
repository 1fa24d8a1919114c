#include "sotto/audit/distinguishers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace sotto {
namespace {

constexpr std::size_t kMostCoordinates = 256;
constexpr std::size_t kLowBytes = 256;
constexpr std::size_t kZeroCounts = 65;
constexpr std::size_t kExponents = 64;
constexpr std::size_t kMantissaZeroCounts = 64;
constexpr int kHashBits = 12;
constexpr int kReportHashBits = 14;

// The number of edges below the value, without branches. `Size` must be a power of two minus one.
template <typename Number, std::size_t Size>
std::size_t cell_between(const std::array<Number, Size>& edges, Number value) {
  std::size_t below = 0;
  for (std::size_t step = (Size + 1) / 2; step > 0; step /= 2) below += edges[below + step - 1] < value ? step : 0;
  return below;
}

template <typename Number, std::size_t Size>
void set_quantiles(std::vector<Number> values, std::array<Number, Size>& edges) {
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < Size; ++i) edges[i] = values[(i + 1) * values.size() / (Size + 1)];
}

std::uint64_t mix(std::uint64_t hash, std::int64_t value) {
  hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15;
  return hash ^ (hash >> 29);
}

std::size_t top_bits(std::uint64_t hash, int bits) {
  return static_cast<std::size_t>((hash * 0xBF58476D1CE4E5B9) >> (64 - bits));
}

// The bits of a double: its exponent, 2^−48 to 2^15 and what lies beyond at the ends, and the zeros its mantissa ends
// in. A sum of two numbers of different size leaves zeros that noise alone does not have [Mir12].
std::size_t mantissa_cell(std::int64_t report) {
  const auto bits = static_cast<std::uint64_t>(report);
  const auto exponent = static_cast<std::int64_t>((bits >> 52) & 0x7FF) - (1023 - 48);
  const auto zeros = static_cast<std::size_t>(std::countr_zero(bits | (std::uint64_t{1} << 52)));
  return static_cast<std::size_t>(std::clamp<std::int64_t>(exponent, 0, kExponents - 1)) * kMantissaZeroCounts + zeros;
}

}  // namespace

const char* name(Distinguisher distinguisher) {
  constexpr std::array<const char*, kDistinguishers> kNames{"likelihood ratio", "histogram", "bit pattern",
                                                            "exact value"};
  return kNames[static_cast<std::size_t>(distinguisher)];
}

ReportFeatures::ReportFeatures(const Tuples& pilot, Scorer score)
    : coordinates_(std::min(pilot.length(), kMostCoordinates)), score_(std::move(score)), score_quantiles_() {
  quantiles_.resize(coordinates_);
  std::vector<std::int64_t> column(pilot.size());
  for (std::size_t c = 0; c < coordinates_; ++c) {
    for (std::size_t i = 0; i < pilot.size(); ++i) column[i] = pilot[i][c];
    set_quantiles(column, quantiles_[c]);
    const std::string coordinate = "coordinate " + std::to_string(c) + ": ";
    add(Distinguisher::kHistogram, coordinate + "quantile", kQuantiles);
    add(Distinguisher::kBitPattern, coordinate + "low byte", kLowBytes);
    add(Distinguisher::kBitPattern, coordinate + "trailing zero bits", kZeroCounts);
    add(Distinguisher::kBitPattern, coordinate + "as a double, exponent and trailing zeros",
        kExponents * kMantissaZeroCounts);
    add(Distinguisher::kExactValue, coordinate + "hashed value", std::size_t{1} << kHashBits);
  }
  add(Distinguisher::kExactValue, "hashed report", std::size_t{1} << kReportHashBits);
  if (!score_) return;
  add(Distinguisher::kLikelihoodRatio, "log-likelihood ratio, quantile", kScoreQuantiles);
  std::vector<double> scores;
  for (std::size_t i = 0; i < pilot.size(); ++i)
    if (const double value = score_(pilot[i]); !std::isnan(value)) scores.push_back(value);
  if (!scores.empty()) set_quantiles(scores, score_quantiles_);
}

void ReportFeatures::add(Distinguisher distinguisher, const std::string& name, std::size_t cells) {
  features_.push_back({distinguisher, name, features_.empty() ? 0 : this->cells(), cells});
}

// In the order in which the constructor adds the features.
void ReportFeatures::count(Report report, std::span<std::uint32_t> counts) const {
  std::uint32_t* feature = counts.data();
  std::uint64_t report_hash = 0;
  const auto see = [&](std::size_t cell, std::size_t cells) {
    ++feature[cell];
    feature += cells;
  };
  for (std::size_t c = 0; c < coordinates_; ++c) {
    const std::int64_t value = report[c];
    see(cell_between(quantiles_[c], value), kQuantiles);
    see(static_cast<std::uint8_t>(value), kLowBytes);
    see(static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(value))), kZeroCounts);
    see(mantissa_cell(value), kExponents * kMantissaZeroCounts);
    see(top_bits(mix(0, value), kHashBits), std::size_t{1} << kHashBits);
    report_hash = mix(report_hash, value);
  }
  for (std::size_t c = coordinates_; c < report.size(); ++c) report_hash = mix(report_hash, report[c]);
  see(top_bits(report_hash, kReportHashBits), std::size_t{1} << kReportHashBits);
  if (score_) see(cell_between(score_quantiles_, score_(report)), kScoreQuantiles);
}

}  // namespace sotto
