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
  return refuse("expected a number such as 1.4, 7/5 or 1e-5 with at most 12 significant digits, got \"" + shown + "\"");
}

// Digits with at most one point: value = digits / 10^places.
bool parse_decimal(std::string_view text, std::uint64_t& digits, int& places) {
  bool seen_digit = false;
  bool seen_point = false;
  for (const char c : text) {
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (c < '0' || c > '9') return false;
    seen_digit = true;
    digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
    if (digits >= kLimit) return false;
    if (seen_point) ++places;
  }
  return seen_digit;
}

bool parse_exponent(std::string_view text, int& exponent) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, exponent);
  return error == std::errc() && stop == end && exponent >= -15 && exponent <= 15;
}

Uint128 power_of_ten(int exponent) {
  Uint128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// numerator/denominator on the finest decimal grid that holds it, rounded to the grid.
Result<Rational> coarsen(Uint128 numerator, Uint128 denominator, Rounding rounding) {
  const Uint128 whole = numerator / denominator;
  const Uint128 rest = numerator % denominator;
  for (Uint128 grid = power_of_ten(12); grid > 0; grid /= 10) {
    const Uint128 steps = rest * grid;  // < 2^88 · 2^40
    const bool up = rounding == Rounding::kUp && steps % denominator != 0;
    const Uint128 rounded = whole * grid + steps / denominator + (up ? 1U : 0U);
    if (rounded < kLimit) return Rational::make(rounded, grid);
  }
  return refuse("number must stay below 2^44");
}

}  // namespace

Result<Rational> Rational::make(Uint128 numerator, Uint128 denominator, Rounding rounding) {
  if (denominator == 0) return refuse("fraction with denominator 0");
  const Uint128 divisor = greatest_common_divisor(numerator, denominator);
  numerator /= divisor;
  denominator /= divisor;
  if (numerator >= kLimit || denominator >= kLimit) {
    if (rounding != Rounding::kNever) return coarsen(numerator, denominator, rounding);
    return refuse("fraction needs more than 44 bits: use a value with fewer digits");
  }
  Rational result;
  result.numerator_ = static_cast<std::uint64_t>(numerator);
  result.denominator_ = static_cast<std::uint64_t>(denominator);
  return result;
}

Result<Rational> Rational::parse(std::string_view text) {
  if (text.size() > kLongestText) return not_a_number(text);
  std::uint64_t digits = 0;
  std::uint64_t divisor = 0;
  int places = 0;
  int exponent = 0;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    if (!parse_decimal(text.substr(0, slash), digits, places) ||
        !parse_decimal(text.substr(slash + 1), divisor, places) || places != 0 || divisor == 0)
      return not_a_number(text);
    return make(digits, divisor);
  }
  const auto e = text.find_first_of("eE");
  if (e != std::string_view::npos && !parse_exponent(text.substr(e + 1), exponent)) return not_a_number(text);
  if (!parse_decimal(text.substr(0, e), digits, places)) return not_a_number(text);
  exponent -= places;
  if (exponent < -30) return not_a_number(text);
  auto result = exponent >= 0 ? make(digits * power_of_ten(exponent), 1) : make(digits, power_of_ten(-exponent));
  if (!result) return not_a_number(text);
  return result;
}

std::string Rational::to_string() const {
  Uint128 scaled = numerator_;
  for (std::size_t places = 0; places <= 12; ++places, scaled *= 10) {
    if (scaled % denominator_ != 0) continue;
    if (scaled / denominator_ >= kLimit) break;  // more digits than parse() reads
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
  if (left == right) return std::strong_ordering::equal;
  return left < right ? std::strong_ordering::less : std::strong_ordering::greater;
}

Result<Rational> add(const Rational& a, const Rational& b, Rounding rounding) {
  return Rational::make(Uint128{a.numerator()} * b.denominator() + Uint128{b.numerator()} * a.denominator(),
                        Uint128{a.denominator()} * b.denominator(), rounding);
}

Result<Rational> subtract(const Rational& a, const Rational& b, Rounding rounding) {
  if (a < b) return refuse(a.to_string() + " - " + b.to_string() + " is below 0");
  return Rational::make(Uint128{a.numerator()} * b.denominator() - Uint128{b.numerator()} * a.denominator(),
                        Uint128{a.denominator()} * b.denominator(), rounding);
}

Result<Rational> multiply(const Rational& a, const Rational& b) {
  return Rational::make(Uint128{a.numerator()} * b.numerator(), Uint128{a.denominator()} * b.denominator());
}

}  // namespace sotto
