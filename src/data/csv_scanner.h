// Rows and fields of a CSV stream [RFC 4180]: fields in quotes may hold commas, line breaks and doubled quotes; lines
// end with LF or CRLF, the last one may lack it; a UTF-8 byte order mark at the start is passed over.
//
// Beyond the RFC: spaces and tabs around a field without quotes are dropped, and empty lines are passed over. A NUL
// byte, a lone CR, a quote inside a field without quotes or text after a closing quote is an error that names line and
// column, never the content. Fields and rows have a limit, so that memory has one.
#pragma once

#include <array>
#include <string_view>

#include "sotto/data/byte_stream.h"

namespace sotto {

class CsvScanner {
 public:
  static constexpr std::size_t kMaxFieldBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMaxRowBytes = std::size_t{1} << 26;

  explicit CsvScanner(ByteStream stream) : stream_(std::move(stream)) {}

  // Moves to the next row; false at the end. A scanner that returned an error is spent.
  Result<bool> next_row();

  std::size_t field_count() const { return fields_.size(); }
  // Valid until the next call of next_row().
  std::string_view field(std::size_t index) const {
    return std::string_view(text_).substr(fields_[index].begin, fields_[index].end - fields_[index].begin);
  }
  // The line on which the row begins, counted from 1; a line break within quotes counts.
  std::uint64_t line() const { return row_line_; }
  const ByteStream& stream() const { return stream_; }

 private:
  struct Field {
    std::uint32_t begin;
    std::uint32_t end;
  };
  enum class Ended { kField, kRow };
  using CharacterSet = std::array<bool, 256>;

  Status skip_byte_order_mark();
  Status scan_row();
  Result<Ended> scan_field();
  Result<Ended> scan_quoted_field();
  // Appends what precedes the first character in `stops` and returns that one; nothing at the end of the input.
  Result<std::optional<char>> append_until(const CharacterSet& stops);
  // Consumes the delimiter that comes next, or the end of the input; an error when it is neither.
  Result<Ended> accept_delimiter(std::optional<char> next);
  Result<std::optional<char>> peek_char();
  Error fault(const std::string& reason) const;

  ByteStream stream_;
  std::string text_;  // the row, without delimiters and quotes
  std::vector<Field> fields_;
  std::size_t field_begin_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t row_line_ = 1;
};

}  // namespace sotto
