#include "sotto/client/encoded_reports.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace sotto::client {
namespace {

constexpr std::size_t kBlock = 256;  // records at a time: memory does not grow with the number of records

struct Scratch {
  Entropy entropy;
  std::vector<std::int64_t> reports;
  std::string text;
};

Scratch& scratch() {
  thread_local Scratch own;  // if there is no entropy this throws, and the next call tries again
  return own;
}

void write_with(std::string& text, const ReportCodec& codec, Report report, sotto_format format,
                std::span<std::uint8_t> bytes) {
  text.clear();
  if (format == SOTTO_NDJSON)
    codec.append_ndjson(report, text);
  else
    codec.append_cbor(report, text);
  if (text.size() != bytes.size()) throw Failure({ErrorCode::kInvalidArgument, "report: not of the length announced"});
  std::memcpy(bytes.data(), text.data(), text.size());
}

}  // namespace

std::size_t report_size(const ReportCodec& codec, sotto_format format) {
  if (format == SOTTO_CBOR) return codec.cbor_length();
  if (format == SOTTO_NDJSON) return codec.ndjson_length();
  return 0;
}

void write_report(const ReportCodec& codec, Report report, sotto_format format, std::span<std::uint8_t> bytes) {
  write_with(scratch().text, codec, report, format, bytes);
}

Status privatize_into(const Release& release, std::span<const float> values, std::span<const std::int32_t> labels,
                      sotto_format format, std::span<std::uint8_t> reports) {
  Scratch& own = scratch();
  const std::size_t width = release.record_length(), length = release.report_length();
  const std::size_t size = report_size(release.codec(), format), count = values.size() / width;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t block = std::min(kBlock, count - begin);
    own.reports.resize(block * length);
    const Status status =
        release.privatize(values.subspan(begin * width, block * width),
                          labels.empty() ? labels : labels.subspan(begin, block), block, own.entropy, own.reports);
    if (!status) return status;
    for (std::size_t i = 0; i < block; ++i)
      write_with(own.text, release.codec(), Report(own.reports).subspan(i * length, length), format,
                 reports.subspan((begin + i) * size, size));
  }
  return {};
}

}  // namespace sotto::client
