#include "sotto/data/csv.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sotto/data/csv_scanner.h"

namespace sotto {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using IndexOfName = std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>;

IndexOfName index_names(const std::vector<std::string>& names) {
  IndexOfName index;
  for (const std::string& name : names) index.emplace(name, static_cast<std::int32_t>(index.size()));
  return index;
}

// What a field of a row can be for.
struct Target {
  enum class Kind { kNumber, kPixel, kCategory, kLabel };
  Kind kind;
  std::string name;   // from the schema
  IndexOfName index;  // of categories or classes
};

// One a field, and small: it is the file that says how many fields there are.
struct Seat {
  static constexpr std::uint32_t kIgnored = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t target = kIgnored;
  std::uint32_t place = 0;  // in the record
};

std::vector<Target> targets_of(const InputSchema& schema, const std::optional<LabelSchema>& label) {
  std::vector<Target> targets;
  if (schema.image) targets.push_back({Target::Kind::kPixel, "", {}});
  for (const Column& column : schema.columns) {
    const bool numeric = column.kind == Column::Kind::kNumeric;
    targets.push_back(
        {numeric ? Target::Kind::kNumber : Target::Kind::kCategory, column.name, index_names(column.categories)});
  }
  if (label) targets.push_back({Target::Kind::kLabel, label->name, index_names(label->classes)});
  return targets;
}

// The number in the field; nothing when it is not one, or not one that a float can hold.
std::optional<float> number_in(std::string_view field) {
  if (field.empty()) return kMissing;
  if (field.front() == '+' && field.size() > 1 && field[1] != '-') field.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  const auto narrowed = static_cast<float>(number);
  if (std::isfinite(number) && !std::isfinite(narrowed)) return std::nullopt;
  return narrowed;
}

class CsvSource final : public RecordSource {
 public:
  CsvSource(ByteStream stream, const InputSchema& schema, const std::optional<LabelSchema>& label,
            UnknownCategory unknown_category)
      : scanner_(std::move(stream)),
        width_(schema.width()),
        has_labels_(label.has_value()),
        unknown_category_(unknown_category),
        targets_(targets_of(schema, label)) {}

  std::size_t width() const override { return width_; }
  bool has_labels() const override { return has_labels_; }

  // The fields are the values of the record, then the label.
  void seat_in_order() {
    const bool one_target_a_value = targets_[0].kind != Target::Kind::kPixel;
    for (std::uint32_t place = 0; place < width_; ++place) seats_.push_back({one_target_a_value ? place : 0, place});
    if (has_labels_) seats_.push_back({static_cast<std::uint32_t>(targets_.size() - 1), 0});
  }

  // The fields are what the first row calls them.
  Status seat_by_header() {
    const Result<bool> found = scanner_.next_row();
    if (!found) return found.error();
    if (!*found) return scanner_.stream().invalid("the header line is missing");
    std::unordered_map<std::string_view, std::uint32_t> target_of;
    for (std::uint32_t i = 0; i < targets_.size(); ++i) target_of.emplace(targets_[i].name, i);
    std::vector<bool> seated(targets_.size());
    seats_.resize(scanner_.field_count());
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const auto wanted = target_of.find(scanner_.field(i));
      if (wanted == target_of.end()) continue;
      const std::uint32_t target = wanted->second;
      if (seated[target]) return header_fault("column '" + targets_[target].name + "' appears twice");
      seats_[i] = {target, target};
      seated[target] = true;
    }
    for (std::size_t i = 0; i < seated.size(); ++i) {
      if (!seated[i]) return header_fault("column '" + targets_[i].name + "' is missing");
    }
    return {};
  }

 private:
  Error header_fault(const std::string& reason) const {
    return scanner_.stream().invalid("header on line " + std::to_string(scanner_.line()) + ": " + reason);
  }

  Status fill(Batch& batch, std::size_t max_rows) override {
    while (batch.rows < max_rows) {
      const Result<bool> found = scanner_.next_row();
      if (!found) return found.error();
      if (!*found) return {};
      if (Status status = read_row(batch); !status) return status;
      ++batch.rows;
    }
    return {};
  }

  Status read_row(Batch& batch) {
    if (scanner_.field_count() != seats_.size()) {
      return scanner_.stream().invalid("line " + std::to_string(scanner_.line()) + ": received " +
                                       std::to_string(scanner_.field_count()) + " fields, expected " +
                                       std::to_string(seats_.size()));
    }
    const std::size_t begin = batch.rows * width_;
    if (batch.values.size() < begin + width_) batch.values.resize(begin + width_);
    if (batch.labels.size() <= batch.rows) batch.labels.resize(batch.rows + 1);
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const auto [target, place] = seats_[i];
      if (target == Seat::kIgnored) continue;
      const char* fault = targets_[target].kind == Target::Kind::kLabel
                              ? read_label(scanner_.field(i), targets_[target], batch.labels[batch.rows])
                              : read_value(scanner_.field(i), targets_[target], batch.values[begin + place]);
      if (fault != nullptr) return field_fault(i, fault);
    }
    return {};
  }

  // Each of these returns null, or what is wrong with the field.
  const char* read_value(std::string_view field, const Target& target, float& value) const {
    if (target.kind == Target::Kind::kCategory) return read_category(field, target, value);
    const std::optional<float> number = number_in(field);
    if (!number) return "not a number in the range of float";
    if (target.kind == Target::Kind::kPixel && (*number < 0 || *number > 1)) return "a pixel outside of [0, 1]";
    value = *number;
    return nullptr;
  }

  const char* read_category(std::string_view field, const Target& target, float& value) const {
    const auto found = target.index.find(field);
    const bool known = found != target.index.end();
    if (!known && unknown_category_ == UnknownCategory::kRefuse) return "not a category of the schema";
    value = known ? static_cast<float>(found->second) : kMissing;
    return nullptr;
  }

  static const char* read_label(std::string_view field, const Target& target, std::int32_t& label) {
    const auto found = target.index.find(field);
    if (found == target.index.end()) return "not a class of the label schema";
    label = found->second;
    return nullptr;
  }

  Error field_fault(std::size_t index, const char* reason) const {
    const std::string& name = targets_[seats_[index].target].name;
    return scanner_.stream().invalid("line " + std::to_string(scanner_.line()) + ", column " +
                                     std::to_string(index + 1) + (name.empty() ? "" : " ('" + name + "')") + ": " +
                                     reason);
  }

  CsvScanner scanner_;
  std::size_t width_;
  bool has_labels_;
  UnknownCategory unknown_category_;
  std::vector<Target> targets_;
  std::vector<Seat> seats_;
};

Status validate(const InputSchema& schema, const std::optional<LabelSchema>& label) {
  if (Status status = schema.validate(); !status) return status;
  if (!label) return {};
  if (Status status = label->validate(); !status) return status;
  for (const Column& column : schema.columns) {
    if (column.name == label->name) {
      return refuse("label '" + label->name + "': a column of the input has the same name");
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<RecordSource>> open_csv(ByteStream stream, const InputSchema& schema,
                                               const std::optional<LabelSchema>& label, const CsvOptions& options) {
  if (Status status = validate(schema, label); !status) return status.error();
  auto source = std::make_unique<CsvSource>(std::move(stream), schema, label, options.unknown_category);
  if (options.header && !schema.image) {
    if (Status status = source->seat_by_header(); !status) return status.error();
  } else {
    source->seat_in_order();
  }
  return std::unique_ptr<RecordSource>(std::move(source));
}

}  // namespace sotto
