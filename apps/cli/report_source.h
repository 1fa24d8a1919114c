// Reports from files, as `sotto privatize` writes them. Read as a stream: one report's bytes are in memory at a time,
// beside the integers of all. Every report must be one that the mechanism can make, and all must carry the same
// privacy parameters as the first; an error names the file and the number of the report, never what it says.
#pragma once

#include <string>
#include <vector>

#include "sotto/mechanism/report_batch.h"

namespace sotto::cli {

struct ReadReports {
  ReportBatch batch;
  std::vector<std::size_t> per_file;  // how many of the batch each path gave, in their order
};

// NDJSON or CBOR, told apart by the first byte of each file; "-" is standard input. Throws Failure.
ReadReports read_reports(const std::vector<std::string>& paths, const Mechanism& mechanism, InexactChannels inexact);

}  // namespace sotto::cli
