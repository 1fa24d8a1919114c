#include "report_sink.h"

#include "output_stream.h"

namespace sotto::cli {
namespace {

class EncodedReports final : public ReportSink {
 public:
  EncodedReports(bool cbor, const std::string& output) : cbor_(cbor), output_(output) {}

  void write(const ReportBatch& batch) override {
    const ReportCodec& codec = batch.release().codec();
    encoded_.clear();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (cbor_)
        codec.append_cbor(batch[i], encoded_);
      else
        codec.append_ndjson(batch[i], encoded_);
    }
    output_.write(encoded_);
  }
  void commit() override { output_.commit(); }

 private:
  bool cbor_;
  OutputStream output_;
  std::string encoded_;
};

}  // namespace

std::unique_ptr<ReportSink> make_report_sink(const std::string& format, const std::string& output) {
  return std::make_unique<EncodedReports>(format == "cbor", output);
}

}  // namespace sotto::cli
