// Reports from files, as `sotto privatize` writes them, or from stores, where a collector keeps them. Read as a stream:
// one report's bytes are in memory at a time, beside the integers of all. Every report must be one that the mechanism
// can make, and all must carry the same privacy parameters as the first; an error names the file and the number of the
// report, never what it says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sotto/mechanism/report_batch.h"

namespace sotto::cli {

struct ReadReports {
  ReportBatch batch;
  std::vector<std::size_t> per_file;  // how many of the batch each path gave, in their order
};

// NDJSON, CBOR or a store, told apart by the first bytes of each file; "-" is standard input. Throws Failure, as all
// do.
ReadReports read_reports(const std::vector<std::string>& paths, const Mechanism& mechanism, InexactChannels inexact);

// The reports of one file, some at a time; the batch is the caller's until the next call.
using VisitReports = std::function<void(const ReportBatch& batch)>;
void for_each_batch_of_file(const std::string& path, const Mechanism& mechanism, InexactChannels inexact,
                            std::size_t most, const VisitReports& visit);

// The same of a collection in a store. Without a number, there must be just one that the mechanism made.
void for_each_batch_of_store(const std::string& path, std::optional<std::uint64_t> number, const Mechanism& mechanism,
                             InexactChannels inexact, const VisitReports& visit);

}  // namespace sotto::cli
