// A collection in miniature, before anybody sends anything: people are drawn from the collector's own records, report
// through the real channel with seeded noise, and the table of labels is learnt as it would be from real reports.
// Spends nobody's budget, and says nothing about anybody else's records.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/learn/evidence.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto {

// The collector's records as the constraint sees them: encoded once, for all simulations.
struct EncodedRecords {
  std::size_t width = 0;
  std::vector<float> encodings;      // one row a record
  std::vector<std::int32_t> labels;  // of each, or stand-ins
  std::size_t classes = 0;
  CodeBook book;  // the codes whose labels are to be found
};

struct SimulationOptions {
  ConstraintSpec constraint;
  ChannelFamily channel;
  ReleaseParameters release;  // joint, or with a lambda
  std::size_t reports = 0;
  std::uint64_t seed = 1;
};

// The share of the records that have the label which the table gives their code.
Result<double> simulate_collection(const EncodedRecords& records, const SimulationOptions& options);

}  // namespace sotto
