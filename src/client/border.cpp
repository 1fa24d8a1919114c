#include "sotto/client/border.h"

#include <algorithm>

namespace sotto::client {
namespace {

constexpr std::size_t kLongestMessage = 1023;
thread_local char last_message[kLongestMessage + 1] = "";  // plain bytes: nothing to construct, destroy or allocate

sotto_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return SOTTO_INVALID_ARGUMENT;
    case ErrorCode::kInvalidInput:
      return SOTTO_INVALID_INPUT;
    case ErrorCode::kCorruptFile:
      return SOTTO_CORRUPT_FILE;
    case ErrorCode::kBudgetExceeded:
      return SOTTO_BUDGET_EXCEEDED;
    case ErrorCode::kEntropyFailure:
      return SOTTO_ENTROPY_FAILURE;
    case ErrorCode::kUnsupported:
      return SOTTO_UNSUPPORTED;
    case ErrorCode::kIo:
      return SOTTO_IO;
  }
  return SOTTO_INTERNAL;
}

void keep(std::string_view message) {
  std::size_t length = std::min(message.size(), kLongestMessage);
  if (length < message.size())  // not in the middle of a character
    while (length > 0 && (static_cast<unsigned char>(message[length]) & 0xC0) == 0x80) --length;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
  std::replace_copy_if(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(length), last_message, is_control,
                       '?');
  last_message[length] = '\0';
}

}  // namespace

void forget_error() noexcept { last_message[0] = '\0'; }

sotto_status remember(ErrorCode code, std::string_view message) noexcept {
  keep(message);
  return status_of(code);
}

sotto_status remember_defect() noexcept {
  keep("an unexpected error inside sotto; nothing was released");  // what() might quote what must not be quoted
  return SOTTO_INTERNAL;
}

}  // namespace sotto::client

uint32_t sotto_abi_version(void) { return SOTTO_ABI_VERSION; }

const char* sotto_last_error(void) { return sotto::client::last_message; }
