#include "sotto/mechanism/release.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace sotto {
namespace {

constexpr std::size_t kMaxCount = std::size_t{1} << 31;  // times the width of a record or report: no overflow

std::vector<Range> fields_of(const Channel& channel, const Channel* label_channel) {
  std::vector<Range> fields = channel.report_ranges();
  if (label_channel != nullptr) fields.push_back(label_channel->report_ranges()[0]);
  return fields;
}

// Room for intermediate values, one per thread, so that a steady stream of records allocates nothing.
struct Scratch {
  Network::Workspace workspace;
  std::vector<float> encodings;
  std::vector<std::int64_t> point, joint;
};
Scratch& scratch() {
  thread_local Scratch own;
  return own;
}

std::span<const float> encode(const Network& encoder, std::span<const float> records, std::size_t count) {
  std::vector<float>& encodings = scratch().encodings;
  encodings.resize(count * encoder.output_width());
  encoder.encode(records, count, encodings, scratch().workspace);
  return encodings;
}

Error wrong_count(const char* what, std::size_t expected, std::size_t received) {
  return {ErrorCode::kInvalidInput,
          std::string(what) + ": expected " + std::to_string(expected) + ", got " + std::to_string(received)};
}

}  // namespace

Release::Release(std::shared_ptr<const Network> encoder, std::shared_ptr<const Constraint> constraint,
                 std::shared_ptr<const Channel> channel, std::shared_ptr<const Channel> label_channel,
                 std::shared_ptr<const LabelJoin> label_join, Claim claim, const ReportHeader& header)
    : encoder_(std::move(encoder)),
      constraint_(std::move(constraint)),
      channel_(std::move(channel)),
      label_channel_(std::move(label_channel)),
      label_join_(std::move(label_join)),
      claim_(std::move(claim)),
      codec_(std::make_shared<ReportCodec>(header, fields_of(*channel_, label_channel_.get()))) {}

Status Release::check_input(std::size_t values, std::span<const std::int32_t> labels, std::size_t count) const {
  if (count > kMaxCount)
    return Error{ErrorCode::kInvalidInput, "record count: must be at most 2^31, got " + std::to_string(count)};
  if (values != count * encoder_->input_width())
    return wrong_count("record values", count * encoder_->input_width(), values);
  if (!takes_labels()) {
    if (!labels.empty())
      return Error{ErrorCode::kInvalidInput, "labels: given, but neither lambda nor joint to release them with"};
    return {};
  }
  if (labels.size() != count) return wrong_count("labels", count, labels.size());
  const auto classes = label_join_ != nullptr ? label_join_->classes() : label_channel_->report_ranges()[0].high + 1;
  const auto odd = std::find_if(labels.begin(), labels.end(), [=](auto l) { return l < 0 || l >= classes; });
  if (odd != labels.end())
    return Error{ErrorCode::kInvalidInput, "label of record " + std::to_string(odd - labels.begin() + 1) +
                                               ": not one of the " + std::to_string(classes) + " classes"};
  return {};
}

Status Release::draw(std::span<const float> encodings, std::span<const std::int32_t> labels, std::size_t count,
                     Entropy& entropy, std::span<std::int64_t> reports) const {
  const std::size_t width = constraint_->input_length();
  std::vector<std::int64_t>& point = scratch().point;
  std::vector<std::int64_t>& joint = scratch().joint;
  point.resize(point_length(constraint_->domain()));
  joint.resize(point_length(channel_->domain()));
  for (std::size_t i = 0; i < count; ++i) {
    if (Status status = constraint_->constrain(encodings.subspan(i * width, width), point); !status) return status;
    const auto report = reports.subspan(i * report_length(), report_length());
    if (label_join_ != nullptr) label_join_->join(point, labels[i], joint);
    channel_->sample(label_join_ != nullptr ? joint : point, entropy, report.first(channel_->report_length()));
    if (label_channel_ != nullptr) {
      const std::int64_t label = labels[i];
      label_channel_->sample({&label, 1}, entropy, report.last(1));
    }
  }
  return {};
}

Status Release::privatize(std::span<const float> records, std::span<const std::int32_t> labels, std::size_t count,
                          Entropy& entropy, std::span<std::int64_t> reports) const {
  std::fill(reports.begin(), reports.end(), 0);
  if (Status status = check_input(records.size(), labels, count); !status) return status;
  if (reports.size() != count * report_length())
    return wrong_count("room for report values", count * report_length(), reports.size());
  Status status;
  try {
    status = draw(encode(*encoder_, records, count), labels, count, entropy, reports);
  } catch (const Failure& failure) {
    status = failure.error();
  } catch (const std::bad_alloc&) {
    status = Error{ErrorCode::kIo, "out of memory"};  // short enough to need none
  }
  if (!status) std::fill(reports.begin(), reports.end(), 0);
  return status;
}

Result<std::vector<std::int64_t>> Release::point_of(std::span<const float> record) const {
  return points_of(record, 1);
}

Result<std::vector<std::int64_t>> Release::points_of(std::span<const float> records, std::size_t count) const {
  constexpr std::size_t kBlock = 256;
  const std::size_t width = encoder_->input_width(), encoding = constraint_->input_length();
  if (count > kMaxCount || records.size() != count * width)
    return wrong_count("record values", count * width, records.size());
  const std::size_t length = point_length(constraint_->domain());
  std::vector<std::int64_t> points(count * length);
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t rows = std::min(kBlock, count - begin);
    const auto encodings = encode(*encoder_, records.subspan(begin * width, rows * width), rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const Status status = constraint_->constrain(encodings.subspan(row * encoding, encoding),
                                                   std::span(points).subspan((begin + row) * length, length));
      if (!status) return status.error();
    }
  }
  return points;
}

}  // namespace sotto
