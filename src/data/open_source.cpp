#include "sotto/data/open_source.h"

#include <utility>

#include "sotto/data/idx.h"
#include "sotto/data/labels.h"
#include "sotto/data/npy.h"

namespace sotto {
namespace {

enum class Format { kCsv, kNpy, kIdx };

Result<Format> format_of(ByteStream& stream, const std::string& path) {
  const auto bytes = stream.peek(8);
  if (!bytes) return bytes.error();
  if (has_npy_magic(*bytes) || path.ends_with(".npy")) return Format::kNpy;
  if (has_idx_magic(*bytes)) return Format::kIdx;
  if (path == "-" || path.ends_with(".csv")) return Format::kCsv;
  return Error{ErrorCode::kUnsupported, path + ": neither an NPY nor an IDX file, and its name does not end in .csv"};
}

Result<std::unique_ptr<ArraySource>> open_array(ByteStream stream, Format format, ValueScale scale) {
  return format == Format::kIdx ? open_idx(std::move(stream), scale) : open_npy(std::move(stream), scale);
}

// An array with an image's extents must have them in the image's order; extents of 1 do not matter, and a flat record
// has no order to check.
bool has_order_of(const ImageShape& image, const std::vector<std::uint64_t>& shape) {
  if (shape.size() <= 2) return true;
  std::vector<std::uint64_t> stored(shape.begin() + 1, shape.end());
  std::vector<std::uint64_t> wanted = {static_cast<std::uint64_t>(image.channels),
                                       static_cast<std::uint64_t>(image.height),
                                       static_cast<std::uint64_t>(image.width)};
  std::erase(stored, 1U);
  std::erase(wanted, 1U);
  return stored == wanted;
}

Status check_shape(const std::string& path, const ArraySource& source, const InputSchema& schema) {
  if (source.width() != schema.width()) {
    return Error{ErrorCode::kInvalidInput, path + ": records of " + std::to_string(source.width()) +
                                               " values, the schema has " + std::to_string(schema.width())};
  }
  if (!schema.image || has_order_of(*schema.image, source.shape())) return {};
  return Error{ErrorCode::kInvalidInput,
               path + ": the extents of its images are not the schema's channels, rows, columns"};
}

Result<std::unique_ptr<RecordSource>> open_records(const SourceSpec& spec, const InputSchema& schema,
                                                   const std::optional<LabelSchema>& label) {
  Result<ByteStream> stream = ByteStream::open(spec.records);
  if (!stream) return stream.error();
  const Result<Format> format = format_of(*stream, spec.records);
  if (!format) return format.error();
  if (*format == Format::kCsv) {
    return open_csv(*std::move(stream), schema, spec.labels.empty() ? label : std::nullopt, spec.csv);
  }
  if (label && spec.labels.empty()) {
    return refuse("labels: no label file given, but the label '" + label->name + "' is wanted");
  }
  auto source = open_array(*std::move(stream), *format, schema.image ? ValueScale::kPixel : ValueScale::kAsStored);
  if (!source) return source.error();
  if (Status status = check_shape(spec.records, **source, schema); !status) return status.error();
  return std::unique_ptr<RecordSource>(*std::move(source));
}

Result<std::unique_ptr<RecordSource>> open_labels(const std::string& path) {
  Result<ByteStream> stream = ByteStream::open(path);
  if (!stream) return stream.error();
  const Result<Format> format = format_of(*stream, path);
  if (!format) return format.error();
  if (*format == Format::kCsv) {
    return Error{ErrorCode::kUnsupported,
                 path + ": a label file is IDX or NPY; in CSV, labels are a column of the records"};
  }
  auto source = open_array(*std::move(stream), *format, ValueScale::kAsStored);
  if (!source) return source.error();
  return std::unique_ptr<RecordSource>(*std::move(source));
}

}  // namespace

Result<std::unique_ptr<RecordSource>> open_source(const SourceSpec& spec, const InputSchema& schema,
                                                  const std::optional<LabelSchema>& label) {
  if (Status status = schema.validate(); !status) return status.error();
  if (label) {
    if (Status status = label->validate(); !status) return status.error();
  }
  if (spec.records == "-" && spec.labels == "-") {
    return refuse("labels: received -, but the records come from standard input");
  }
  auto records = open_records(spec, schema, label);
  if (!records || spec.labels.empty()) return records;
  auto labels = open_labels(spec.labels);
  if (!labels) return labels.error();
  return attach_labels(*std::move(records), *std::move(labels), label ? label->classes.size() : 0);
}

}  // namespace sotto
