#include "report_source.h"

#include <algorithm>
#include <optional>

#include "sotto/data/byte_stream.h"
#include "sotto/data/report_framing.h"
#include "sotto/mechanism/mechanism.h"

namespace sotto::cli {
namespace {

std::span<const std::uint8_t> octets(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

class ReportFile {
 public:
  explicit ReportFile(const std::string& path) : stream_(ByteStream::open(path).value_or_throw()) {
    const std::string_view start = peek(1);
    cbor_ = !start.empty() && (static_cast<unsigned char>(start.front()) & 0xE0U) == 0xA0U;
  }

  // False at the end.
  bool next() {
    report_.clear();
    if (peek(1).empty()) return false;
    ++number_;
    if (cbor_)
      take_item();
    else
      take_line();
    return true;
  }

  Result<ReportHeader> header() const {
    return cbor_ ? read_cbor_header(octets(report_)) : read_ndjson_header(report_);
  }
  Status append_to(ReportBatch& batch) const {
    return cbor_ ? batch.append_cbor(octets(report_)) : batch.append_ndjson(report_);
  }
  [[noreturn]] void fail(ErrorCode code, const std::string& what) const {
    throw Failure({code, "reports: " + stream_.name() + ", report " + std::to_string(number_) + ": " + what});
  }

 private:
  std::string_view peek(std::size_t at_least) {
    const auto bytes = stream_.peek(at_least).value_or_throw();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  void take(std::string_view bytes) {
    if (report_.size() + bytes.size() > kMaxReportBytes) fail(ErrorCode::kInvalidInput, "longer than 64 MiB");
    report_ += bytes;
    stream_.consume(bytes.size());
  }

  void take_line() {
    while (true) {
      const std::string_view bytes = peek(1);
      const std::size_t end = bytes.find('\n');
      take(bytes.substr(0, end));
      if (end == std::string_view::npos && !bytes.empty()) continue;
      if (!bytes.empty()) stream_.consume(1);
      return;
    }
  }

  void take_item() {
    constexpr std::size_t kLongestHead = 4096;
    const auto length = cbor_report_length(octets(peek(kLongestHead)));
    if (!length) fail(ErrorCode::kInvalidInput, "not a CBOR report, or cut off");
    while (report_.size() < *length) {
      const std::string_view bytes = peek(1);
      if (bytes.empty()) fail(ErrorCode::kInvalidInput, "cut off");
      take(bytes.substr(0, *length - report_.size()));
    }
  }

  ByteStream stream_;
  bool cbor_ = false;
  std::string report_;
  std::uint64_t number_ = 0;
};

std::string described(const ReleaseParameters& parameters) {
  std::string text = "epsilon " + parameters.epsilon.to_string();
  if (!parameters.delta.is_zero()) text += ", delta " + parameters.delta.to_string();
  if (parameters.lambda) text += ", lambda " + parameters.lambda->to_string();
  return text + (parameters.joint ? ", joint" : parameters.lambda ? "" : ", no label");
}

void append(const ReportFile& file, ReportBatch& batch) {
  const Status status = file.append_to(batch);
  if (status) return;
  // Which of the two it was: the codec only says that the header is another.
  const ReportHeader& expected = batch.release().codec().header();
  const auto header = file.header();
  if (header && header->mechanism_id != expected.mechanism_id)
    file.fail(ErrorCode::kInvalidArgument,
              "made by mechanism " + to_hex(header->mechanism_id) + ", expected " + to_hex(expected.mechanism_id));
  if (header && !(header->parameters == expected.parameters))
    file.fail(ErrorCode::kInvalidArgument, "made with " + described(header->parameters) + ", but the first with " +
                                               described(expected.parameters) + "; learn from them apart");
  std::string what = status.error().message;
  if (what.starts_with("report: ")) what.erase(0, 8);
  file.fail(status.error().code, what);
}

ReportBatch begin(const ReportFile& file, const Mechanism& mechanism, InexactChannels inexact) {
  const auto header = file.header();
  if (!header) file.fail(header.error().code, header.error().message);
  if (header->mechanism_id != mechanism.id())
    file.fail(ErrorCode::kInvalidArgument,
              "made by mechanism " + to_hex(header->mechanism_id) + ", but the one given is " + to_hex(mechanism.id()));
  return ReportBatch(mechanism.release(header->parameters, inexact).value_or_throw());
}

}  // namespace

ReadReports read_reports(const std::vector<std::string>& paths, const Mechanism& mechanism, InexactChannels inexact) {
  std::optional<ReportBatch> batch;
  std::vector<std::size_t> per_file;
  for (const std::string& path : paths) {
    ReportFile file(path);
    std::size_t& count = per_file.emplace_back(0);
    for (; file.next(); ++count) {
      if (!batch) batch.emplace(begin(file, mechanism, inexact));
      append(file, *batch);
    }
  }
  if (!batch) throw Failure({ErrorCode::kInvalidArgument, "reports: the files hold none"});
  return {std::move(*batch), std::move(per_file)};
}

}  // namespace sotto::cli
