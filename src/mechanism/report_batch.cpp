#include "sotto/mechanism/report_batch.h"

#include <algorithm>

namespace sotto {

Status ReportBatch::privatize(std::span<const float> records, std::span<const std::int32_t> labels, std::size_t count,
                              Entropy& entropy) {
  values_.resize(std::min(count, records.size()) * length());  // a larger count is refused before it is believed
  Status status = release_.privatize(records, labels, count, entropy, values_);
  if (!status) clear();
  return status;
}

template <typename Read>
Status ReportBatch::append(Read read) {
  const std::size_t before = values_.size();
  values_.resize(before + length());
  Status status = read(std::span(values_).subspan(before));
  if (status && !release_.channel().is_possible(features(size() - 1)))
    status = Error{ErrorCode::kInvalidInput, "report: no record gives this one"};
  if (!status) values_.resize(before);
  return status;
}

Status ReportBatch::append_ndjson(std::string_view line) {
  return append([&](std::span<std::int64_t> values) { return release_.codec().read_ndjson(line, values); });
}

Status ReportBatch::append_cbor(std::span<const std::uint8_t> bytes) {
  return append([&](std::span<std::int64_t> values) { return release_.codec().read_cbor(bytes, values); });
}

Status ReportBatch::append(const ReportBatch& other) {
  if (!(release_.codec().header() == other.release_.codec().header()))
    return malformed_report("made by another mechanism or with other parameters");
  values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  return {};
}

std::optional<std::int64_t> ReportBatch::label(std::size_t i) const {
  if (release_.label_channel() == nullptr) return std::nullopt;
  return (*this)[i].back();
}

}  // namespace sotto
