#include "sotto/data/npy_header.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace sotto {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

Error malformed(const std::string& message) { return {ErrorCode::kInvalidInput, "NPY header: " + message}; }

std::optional<ElementType> element_of(std::string_view descr) {
  if (descr == "|u1" || descr == "<u1") return ElementType::kUint8;
  if (descr == "<i4") return ElementType::kInt32;
  if (descr == "<i8") return ElementType::kInt64;
  if (descr == "<f4") return ElementType::kFloat32;
  if (descr == "<f8") return ElementType::kFloat64;
  return std::nullopt;
}

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  Result<NpyHeader> parse() {
    if (!accept("{")) return malformed("does not begin with '{'");
    while (!accept("}")) {
      if (Status status = parse_entry(); !status) return status.error();
      if (accept(",")) continue;
      if (!accept("}")) return malformed("',' or '}' is missing after a value");
      break;
    }
    skip_spaces();
    if (!rest_.empty()) return malformed("text follows the closing '}'");
    if (!element_ || !row_major_ || !shape_) return malformed("'descr', 'fortran_order' or 'shape' is missing");
    return NpyHeader{*element_, *std::move(shape_)};
  }

 private:
  Status parse_entry() {
    const std::optional<std::string_view> key = quoted();
    if (!key || !accept(":")) return malformed("a quoted key and ':' are missing");
    if (*key == "descr" && !element_) return parse_descr();
    if (*key == "fortran_order" && !row_major_) return parse_order();
    if (*key == "shape" && !shape_) return parse_shape();
    return malformed("a key is unknown or repeated");
  }

  Status parse_descr() {
    const std::optional<std::string_view> descr = quoted();
    if (descr) element_ = element_of(*descr);
    if (element_) return {};
    return Error{ErrorCode::kUnsupported, "NPY header: element type not supported, allowed are |u1 <i4 <i8 <f4 <f8"};
  }

  Status parse_order() {
    if (accept("True")) return Error{ErrorCode::kUnsupported, "NPY header: Fortran order, supported is C order"};
    if (!accept("False")) return malformed("'fortran_order' is neither True nor False");
    row_major_ = true;
    return {};
  }

  Status parse_shape() {
    if (!accept("(")) return malformed("'shape' does not begin with '('");
    std::vector<std::uint64_t> shape;
    while (!accept(")")) {
      std::uint64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc{}) return malformed("an extent of 'shape' is not a number below 2^64");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept("L");  // as Python 2 wrote long integers
      shape.push_back(extent);
      if (accept(",")) continue;
      if (!accept(")")) return malformed("',' or ')' is missing in 'shape'");
      break;
    }
    shape_ = std::move(shape);
    return {};
  }

  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpaces), rest_.size())); }

  // Moves over `token` and the spaces around it, if it comes next.
  bool accept(std::string_view token) {
    skip_spaces();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip_spaces();
    return true;
  }

  std::optional<std::string_view> quoted() {
    skip_spaces();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string_view rest_;
  std::optional<ElementType> element_;
  std::optional<bool> row_major_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

}  // namespace sotto
