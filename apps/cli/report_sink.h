// Where reports go, batch after batch: to a file or standard output, as they are or decoded.
#pragma once

#include <memory>
#include <string>

#include "sotto/mechanism/report_batch.h"

namespace sotto::cli {

class ReportSink {
 public:
  virtual ~ReportSink() = default;
  ReportSink(const ReportSink&) = delete;
  ReportSink& operator=(const ReportSink&) = delete;

  virtual void write(const ReportBatch& batch) = 0;
  virtual void commit() = 0;  // without it no file appears

 protected:
  ReportSink() = default;
};

// The reports as integers; `format` is "ndjson" or "cbor".
std::unique_ptr<ReportSink> make_report_sink(const std::string& format, const std::string& output);

// The reports decoded to records; `format` is "csv", "npy" or "ndjson". NPY needs files, and one of its own for labels.
struct FeatureOutput {
  std::string format, output, labels_output;
};
std::unique_ptr<ReportSink> make_feature_sink(const FeatureOutput& target, const Mechanism& mechanism,
                                              const Release& release);

}  // namespace sotto::cli
