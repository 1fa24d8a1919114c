// Errors as values. `Result<T>` carries a T or an `Error` across library borders; inside the kernel and the channels,
// where a draw can fail but nobody could go on, the same `Error` travels as the exception `Failure` and is turned back
// into a Result by `Mechanism::privatize`. Messages name the parameter, the value received and the allowed range; they
// never contain a record, a label or a report.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sotto {

enum class ErrorCode {
  kInvalidArgument,  // a parameter or an option is wrong
  kInvalidInput,     // a record, report or data file is malformed
  kCorruptFile,      // a mechanism or ledger file fails its checks
  kBudgetExceeded,   // the ledger refuses
  kEntropyFailure,   // the operating system gave no randomness: nothing may be released
  kUnsupported,      // well-formed, but this build does not do it (an inexact channel on a device, say)
  kIo,               // the operating system refused a read or write
};

struct Error {
  ErrorCode code;
  std::string message;
};

inline Error refuse(std::string argument) { return {ErrorCode::kInvalidArgument, std::move(argument)}; }

// Thrown where continuing would endanger the guarantee. Never crosses a library border.
class Failure : public std::exception {
 public:
  explicit Failure(Error error) : error_(std::move(error)) {}
  const Error& error() const { return error_; }
  const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  Error error_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor): reads as `return value;`
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  const Error& error() const { return std::get<Error>(state_); }

  T& operator*() & { return std::get<T>(state_); }
  const T& operator*() const& { return std::get<T>(state_); }
  T&& operator*() && { return std::get<T>(std::move(state_)); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }

  // For callers that have an exception boundary of their own (tests, command line): the value or a thrown Failure.
  T& value_or_throw() & {
    if (!*this) throw Failure(error());
    return **this;
  }
  T value_or_throw() && {
    if (!*this) throw Failure(error());
    return std::get<T>(std::move(state_));
  }

 private:
  std::variant<T, Error> state_;
};

// Success or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return !error_.has_value(); }
  const Error& error() const { return *error_; }
  void or_throw() const {
    if (error_) throw Failure(*error_);
  }

 private:
  std::optional<Error> error_;
};

}  // namespace sotto
