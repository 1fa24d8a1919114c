#include "sotto/data/csv_scanner.h"

#include <algorithm>

namespace sotto {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

constexpr std::array<bool, 256> set_of(std::string_view characters) {
  std::array<bool, 256> set{};
  for (const char c : characters) set[static_cast<unsigned char>(c)] = true;
  return set;
}

constexpr std::array<bool, 256> kEndsPlainText = set_of(std::string_view(",\"\r\n\0", 5));
constexpr std::array<bool, 256> kEndsQuotedText = set_of(std::string_view("\"\0", 2));

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<bool> CsvScanner::next_row() {
  if (stream_.offset() == 0) {
    if (Status status = skip_byte_order_mark(); !status) return status.error();
  }
  for (;;) {
    const auto next = peek_char();
    if (!next) return next.error();
    if (!*next) return false;
    if (Status status = scan_row(); !status) return status.error();
    const bool empty_line = field_count() == 1 && field(0).empty() && *next != '"';
    if (!empty_line) return true;
  }
}

Status CsvScanner::skip_byte_order_mark() {
  const auto bytes = stream_.peek(kByteOrderMark.size());
  if (!bytes) return bytes.error();
  if (text_of(*bytes).starts_with(kByteOrderMark)) stream_.consume(kByteOrderMark.size());
  return {};
}

Status CsvScanner::scan_row() {
  text_.clear();
  fields_.clear();
  row_line_ = line_;
  for (;;) {
    field_begin_ = text_.size();
    const Result<Ended> ended = scan_field();
    if (!ended) return ended.error();
    if (*ended == Ended::kRow) return {};
  }
}

Result<CsvScanner::Ended> CsvScanner::scan_field() {
  const auto stop = append_until(kEndsPlainText);
  if (!stop) return stop.error();
  if (*stop == '"' && text_.size() == field_begin_) return scan_quoted_field();
  if (*stop == '"') return fault("a quote inside a field that does not begin with one");
  Result<Ended> ended = accept_delimiter(*stop);
  if (!ended) return ended;
  std::size_t begin = field_begin_, end = text_.size();
  while (begin < end && is_blank(text_[begin])) ++begin;
  while (begin < end && is_blank(text_[end - 1])) --end;
  fields_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  return ended;
}

Result<CsvScanner::Ended> CsvScanner::scan_quoted_field() {
  stream_.consume(1);
  for (;;) {
    const std::size_t begin = text_.size();
    const auto stop = append_until(kEndsQuotedText);
    if (!stop) return stop.error();
    if (!*stop) return fault("the input ends within quotes");
    if (*stop == '\0') return fault("a NUL byte");
    line_ += static_cast<std::uint64_t>(std::count(text_.data() + begin, text_.data() + text_.size(), '\n'));
    stream_.consume(1);
    const auto next = peek_char();
    if (!next) return next.error();
    if (*next != '"') {
      Result<Ended> ended = accept_delimiter(*next);
      if (ended)
        fields_.push_back({static_cast<std::uint32_t>(field_begin_), static_cast<std::uint32_t>(text_.size())});
      return ended;
    }
    text_ += '"';
    stream_.consume(1);
  }
}

Result<std::optional<char>> CsvScanner::append_until(const CharacterSet& stops) {
  for (;;) {
    const auto bytes = stream_.peek(1);
    if (!bytes) return bytes.error();
    const std::string_view text = text_of(*bytes);
    std::size_t length = 0;
    while (length < text.size() && !stops[static_cast<unsigned char>(text[length])]) ++length;
    if (text_.size() - field_begin_ + length > kMaxFieldBytes) return fault("a field of more than 1 MiB");
    if (text_.size() + length > kMaxRowBytes) return fault("a row of more than 64 MiB");
    text_.append(text.substr(0, length));
    stream_.consume(length);
    if (length < text.size()) return std::optional(text[length]);
    if (text.empty()) return std::optional<char>();
  }
}

Result<CsvScanner::Ended> CsvScanner::accept_delimiter(std::optional<char> next) {
  if (!next) return Ended::kRow;
  if (*next == '\0') return fault("a NUL byte");
  if (*next == '\r') {
    const auto bytes = stream_.peek(2);
    if (!bytes) return bytes.error();
    if (!text_of(*bytes).starts_with("\r\n")) return fault("a carriage return without a line feed");
    stream_.consume(1);
  } else if (*next != ',' && *next != '\n') {
    return fault("text after a closing quote");
  }
  stream_.consume(1);
  if (*next == ',') return Ended::kField;
  ++line_;
  return Ended::kRow;
}

Result<std::optional<char>> CsvScanner::peek_char() {
  const auto bytes = stream_.peek(1);
  if (!bytes) return bytes.error();
  return bytes->empty() ? std::optional<char>() : std::optional(text_of(*bytes).front());
}

Error CsvScanner::fault(const std::string& reason) const {
  return stream_.invalid("line " + std::to_string(line_) + ", column " + std::to_string(fields_.size() + 1) + ": " +
                         reason);
}

}  // namespace sotto
