#include "sotto/data/labels.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {
namespace {

constexpr std::size_t kMaxClasses = std::size_t{1} << 24;  // whole numbers below it are exact as floats

class LabelledSource final : public RecordSource {
 public:
  LabelledSource(std::unique_ptr<RecordSource> records, std::unique_ptr<RecordSource> labels, std::size_t class_count)
      : records_(std::move(records)), labels_(std::move(labels)), class_count_(class_count) {}

  std::size_t width() const override { return records_->width(); }
  bool has_labels() const override { return true; }

 private:
  Status fill(Batch& batch, std::size_t max_rows) override {
    const Result<std::size_t> records = records_->read(batch, max_rows);
    if (!records) return records.error();
    batch.rows = 0;  // until their labels are known
    const Result<std::size_t> labels = labels_->read(label_batch_, std::max<std::size_t>(1, *records));
    if (!labels) return labels.error();
    batch.labels.resize(std::min(*records, *labels));
    for (; batch.rows < batch.labels.size(); ++batch.rows, ++rows_read_) {
      const float label = label_batch_.values[batch.rows];
      if (!(label >= 0 && label < static_cast<float>(class_count_) && label == std::floor(label))) return bad_label();
      batch.labels[batch.rows] = static_cast<std::int32_t>(label);
    }
    if (*records == *labels) return {};
    return *labels > *records ? unequal("more") : why_labels_stopped();
  }

  Error why_labels_stopped() {
    const Result<std::size_t> next = labels_->read(label_batch_, 1);
    return next ? unequal("fewer") : next.error();
  }

  Error unequal(const std::string& comparison) const {
    return {ErrorCode::kInvalidInput, "labels: there are " + comparison +
                                          " labels than records, the shorter ends after " + std::to_string(rows_read_)};
  }

  Error bad_label() const {
    return {ErrorCode::kInvalidInput, "labels: the label of record " + std::to_string(rows_read_ + 1) +
                                          " is not a whole number in 0 to " + std::to_string(class_count_ - 1)};
  }

  std::unique_ptr<RecordSource> records_;
  std::unique_ptr<RecordSource> labels_;
  std::size_t class_count_;
  Batch label_batch_;
  std::uint64_t rows_read_ = 0;
};

}  // namespace

Result<std::unique_ptr<RecordSource>> attach_labels(std::unique_ptr<RecordSource> records,
                                                    std::unique_ptr<RecordSource> labels, std::size_t class_count) {
  if (labels->width() != 1) {
    return Error{ErrorCode::kInvalidInput,
                 "labels: received " + std::to_string(labels->width()) + " values a record, allowed is 1"};
  }
  if (class_count > kMaxClasses) {
    return refuse("class count: received " + std::to_string(class_count) + ", allowed are at most " +
                  std::to_string(kMaxClasses));
  }
  return std::unique_ptr<RecordSource>(std::make_unique<LabelledSource>(std::move(records), std::move(labels),
                                                                        class_count == 0 ? kMaxClasses : class_count));
}

}  // namespace sotto
