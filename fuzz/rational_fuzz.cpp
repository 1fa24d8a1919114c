// Any text as a number: refused in words that can be shown, or one that is written and read back the same; and as a
// privacy parameter, one in its range.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "require.h"
#include "sotto/privacy/epsilon.h"
#include "sotto/wire/report_header.h"

namespace {

using namespace sotto;
using fuzz::require;

bool is_shown_as_it_is(const Error& error) {
  return !error.message.empty() && error.code == ErrorCode::kInvalidArgument &&
         std::all_of(error.message.begin(), error.message.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

template <typename Outcome>
bool settled(const Outcome& outcome) {
  require(outcome || is_shown_as_it_is(outcome.error()));
  return static_cast<bool>(outcome);
}

bool within(const Rational& value, const char* low, const char* high) {
  return Rational::parse(low).value_or_throw() <= value && value <= Rational::parse(high).value_or_throw();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto epsilon = Epsilon::parse(text);
  if (settled(epsilon)) require(within(epsilon->value(), "0.001", "100"));
  const auto delta = Delta::parse(text);
  if (settled(delta)) require(delta->is_zero() || within(delta->value(), "1e-12", "0.1"));
  const auto lambda = parse_lambda(text);
  if (settled(lambda)) require(lambda->numerator() > 0 && lambda->numerator() < lambda->denominator());
  const auto number = Rational::parse(text);
  if (!settled(number)) return 0;
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 44;
  require(number->numerator() < kLimit && number->denominator() < kLimit);
  require(std::gcd(number->numerator(), number->denominator()) == 1);
  const auto again = Rational::parse(number->to_string());
  require(again && *again == *number);
  return 0;
}
