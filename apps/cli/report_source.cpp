#include "report_source.h"

#include <algorithm>
#include <optional>

#include "sotto/collect/sqlite_store.h"
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

StoredCollection choose(const std::string& path, ReportStore& store, std::optional<std::uint64_t> number,
                        const Mechanism& mechanism) {
  std::optional<StoredCollection> chosen;
  for (StoredCollection& collection : store.collections().value_or_throw()) {
    if (number ? collection.number != *number : collection.header().value_or_throw().mechanism_id != mechanism.id())
      continue;
    if (chosen)
      throw Failure(refuse("reports: store " + path + " has several collections of this mechanism, " +
                           described(chosen->header().value_or_throw().parameters) + " and " +
                           described(collection.header().value_or_throw().parameters) +
                           " among them; export the one you mean (sotto reports)"));
    chosen = std::move(collection);
  }
  if (!chosen)
    throw Failure(refuse("reports: store " + path + " has no collection " +
                         (number ? std::to_string(*number) : "of mechanism " + to_hex(mechanism.id()))));
  return *chosen;
}

}  // namespace

void for_each_batch_of_file(const std::string& path, const Mechanism& mechanism, InexactChannels inexact,
                            std::size_t most, const VisitReports& visit) {
  ReportFile file(path);
  std::optional<ReportBatch> batch;
  while (file.next()) {
    if (!batch) batch.emplace(begin(file, mechanism, inexact));
    append(file, *batch);
    if (batch->size() < most) continue;
    visit(*batch);
    batch->clear();
  }
  if (batch && batch->size() > 0) visit(*batch);
}

void for_each_batch_of_store(const std::string& path, std::optional<std::uint64_t> number, const Mechanism& mechanism,
                             InexactChannels inexact, const VisitReports& visit) {
  const auto store = open_sqlite_store(path).value_or_throw();
  const StoredCollection collection = choose(path, *store, number, mechanism);
  const ReportHeader header = collection.header().value_or_throw();
  if (header.mechanism_id != mechanism.id())
    throw Failure(refuse("reports: store " + path + ", collection " + std::to_string(collection.number) +
                         ": made by mechanism " + to_hex(header.mechanism_id) + ", but the one given is " +
                         to_hex(mechanism.id())));
  ReportBatch batch(mechanism.release(header.parameters, inexact).value_or_throw());
  std::string report = collection.preamble;
  const auto take = [&](std::uint64_t, std::span<const std::uint8_t> packed) -> Status {
    batch.clear();
    for (std::size_t begin = 0; begin < packed.size(); begin += collection.packed_length) {
      report.resize(collection.preamble.size());
      report.append(packed.begin() + static_cast<std::ptrdiff_t>(begin),
                    packed.begin() + static_cast<std::ptrdiff_t>(begin + collection.packed_length));
      if (const Status status = batch.append_cbor(octets(report)); !status)
        return Error{ErrorCode::kCorruptFile, "store " + path + ": " + status.error().message};
    }
    visit(batch);
    return {};
  };
  store->read(collection.number, take).or_throw();
}

ReadReports read_reports(const std::vector<std::string>& paths, const Mechanism& mechanism, InexactChannels inexact) {
  std::optional<ReportBatch> all;
  std::vector<std::size_t> per_file;
  for (const std::string& path : paths) {
    std::size_t& count = per_file.emplace_back(0);
    const auto take = [&](const ReportBatch& batch) {
      if (!all) all.emplace(batch.release());
      if (!all->append(batch))  // a file's reports are all of one release, and of this mechanism
        throw Failure(refuse("reports: " + path + ": made with " +
                             described(batch.release().codec().header().parameters) + ", but the first with " +
                             described(all->release().codec().header().parameters) + "; learn from them apart"));
      count += batch.size();
    };
    constexpr std::size_t kTogether = 4096;
    if (is_sqlite_file(path))
      for_each_batch_of_store(path, std::nullopt, mechanism, inexact, take);
    else
      for_each_batch_of_file(path, mechanism, inexact, kTogether, take);
  }
  if (!all) throw Failure({ErrorCode::kInvalidArgument, "reports: the files hold none"});
  return {std::move(*all), std::move(per_file)};
}

}  // namespace sotto::cli
