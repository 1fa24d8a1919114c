#include "sotto/privacy/rational.h"

#include <charconv>

namespace sotto {
namespace {

constexpr Uint128 kLimit = Uint128{1} << 44;
constexpr std::size_t kLongestText = 48;

Uint128 greatest_common_divisor(Uint128 a, Uint128 b) {
  while (b != 0) {
    const Uint128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Error not_a_number(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, kLongestText)) shown += (c >= ' ' && c <= '~') ? c : '?';
  return {ErrorCode::kInvalidArgument,
          "expected a number such as 1.4, 7/5 or 1e-5 with at most 12 significant digits, got \"" + shown + "\""};
}

// Digits with an optional point: value = digits / 10^places.
struct Decimal {
  std::uint64_t digits = 0;
  int places = 0;
};

bool parse_decimal(std::string_view text, Decimal& decimal) {
  bool seen_digit = false;
  bool seen_point = false;
  for (const char c : text) {
    if (c == '.' && !seen_point) {
      seen_point = true;
    } else if (c >= '0' && c <= '9') {
      seen_digit = true;
      decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(c - '0');
      if (decimal.digits >= kLimit) return false;
      if (seen_point) ++decimal.places;
    } else {
      return false;
    }
  }
  return seen_digit;
}

bool parse_exponent(std::string_view text, int& exponent) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, exponent);
  return error == std::errc() && stop == end && exponent >= -15 && exponent <= 15;
}

Uint128 power_of_ten(int exponent) {
  Uint128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

Result<Rational> Rational::make(Uint128 numerator, Uint128 denominator) {
  if (denominator == 0) return Error{ErrorCode::kInvalidArgument, "fraction with denominator 0"};
  const Uint128 divisor = greatest_common_divisor(numerator, denominator);
  numerator /= divisor;
  denominator /= divisor;
  if (numerator >= kLimit || denominator >= kLimit)
    return Error{ErrorCode::kInvalidArgument, "fraction needs more than 44 bits: use a value with fewer digits"};
  Rational result;
  result.numerator_ = static_cast<std::uint64_t>(numerator);
  result.denominator_ = static_cast<std::uint64_t>(denominator);
  return result;
}

Result<Rational> Rational::parse(std::string_view text) {
  if (text.empty() || text.size() > kLongestText) return not_a_number(text);
  Decimal decimal;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    Decimal below;
    if (!parse_decimal(text.substr(0, slash), decimal) || !parse_decimal(text.substr(slash + 1), below) ||
        decimal.places != 0 || below.places != 0 || below.digits == 0)
      return not_a_number(text);
    return make(decimal.digits, below.digits);
  }
  int exponent = 0;
  const auto e = text.find_first_of("eE");
  if (e != std::string_view::npos && !parse_exponent(text.substr(e + 1), exponent)) return not_a_number(text);
  if (!parse_decimal(text.substr(0, e), decimal)) return not_a_number(text);
  exponent -= decimal.places;
  if (exponent < -30) return not_a_number(text);
  auto result = exponent >= 0 ? make(decimal.digits * power_of_ten(exponent), 1)
                              : make(decimal.digits, power_of_ten(-exponent));
  if (!result) return not_a_number(text);
  return result;
}

double Rational::to_double() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

std::string Rational::to_string() const {
  Uint128 scaled = numerator_;
  for (std::size_t places = 0; places <= 12; ++places, scaled *= 10) {
    if (scaled % denominator_ != 0) continue;
    std::string digits = std::to_string(static_cast<std::uint64_t>(scaled / denominator_));
    if (places == 0) return digits;
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    return digits.insert(digits.size() - places, ".");
  }
  return std::to_string(numerator_) + "/" + std::to_string(denominator_);
}

std::strong_ordering Rational::operator<=>(const Rational& other) const {
  const Uint128 left = Uint128{numerator_} * other.denominator_;
  const Uint128 right = Uint128{other.numerator_} * denominator_;
  return left < right   ? std::strong_ordering::less
         : left > right ? std::strong_ordering::greater
                        : std::strong_ordering::equal;
}

Result<Rational> add(const Rational& a, const Rational& b) {
  return Rational::make(Uint128{a.numerator_} * b.denominator_ + Uint128{b.numerator_} * a.denominator_,
                        Uint128{a.denominator_} * b.denominator_);
}

Result<Rational> subtract(const Rational& a, const Rational& b) {
  return Rational::make(Uint128{a.numerator_} * b.denominator_ - Uint128{b.numerator_} * a.denominator_,
                        Uint128{a.denominator_} * b.denominator_);
}

Result<Rational> multiply(const Rational& a, const Rational& b) {
  return Rational::make(Uint128{a.numerator_} * b.numerator_, Uint128{a.denominator_} * b.denominator_);
}

}  // namespace sotto
