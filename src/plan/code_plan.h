// Plans a collection by codes: how many codes, which channel and whether the label shares their symbol, for a given
// epsilon and number of reports. Each way is simulated several times on the collector's own records (simulation.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sotto/mechanism/release.h"
#include "sotto/plan/channel_worth.h"
#include "sotto/train/code_assignment.h"

namespace sotto {

struct CodePlanOptions {
  std::vector<Epsilon> epsilons;
  std::size_t reports = 0;
  std::vector<std::size_t> codes;  // to try; none: from one to eight for each class
  std::size_t repeats = 10;
  std::uint64_t seed = 1;
};

// One way to collect at one epsilon, and what it would yield.
struct Prediction {
  std::size_t codes;
  ChannelFamily channel;
  ReleaseParameters release;  // joint, or with a lambda
  double information;         // of one report about the symbol that the channel sees, in bits
  // Share of the records that get their label: mean, smallest and largest of the simulations. One further collection
  // falls between the extremes of n with probability (n − 1)/(n + 1).
  double mean, low, high;
};

struct CodePlan {
  std::vector<Prediction> predictions;  // epsilon by epsilon
  std::vector<Prediction>
      best;  // one for each epsilon: of those with nearly the largest `low`, the one with the most codes
};

using PlanProgress = std::function<void(const Prediction&)>;

// How records fall into so many codes.
using FindCodes = std::function<Result<CodeAssignment>(std::size_t codes)>;

// The collector's own records, which fall into codes.
struct PlannedRecords {
  std::span<const float> features;  // what their codes are found by, one row a record
  std::size_t width;
  std::span<const std::int32_t> labels;  // or stand-ins (stand_in_classes.h)
  std::size_t classes;
};

Result<CodePlan> plan_codes(const FindCodes& find_codes, const PlannedRecords& records, const CodePlanOptions& options,
                            const PlanProgress& progress);

}  // namespace sotto
