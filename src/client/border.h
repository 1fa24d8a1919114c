// The border of the C interface: no exception crosses it, and what went wrong is kept in words for the thread that
// asked. Needs no memory to say that there is none.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>

#include "sotto.h"
#include "sotto/kernel/result.h"

namespace sotto::client {

void forget_error() noexcept;

// Keeps the message for sotto_last_error(), cut to what fits and without control characters, for parts of it may come
// from a mechanism file. Returns the status that stands for the code.
sotto_status remember(ErrorCode code, std::string_view message) noexcept;
sotto_status remember_defect() noexcept;

// Calls `function`, which returns a Status or throws, and returns what C understands.
template <typename Function>
sotto_status guarded(const Function& function) noexcept {
  forget_error();
  try {
    const Status status = function();
    return status ? SOTTO_OK : remember(status.error().code, status.error().message);
  } catch (const Failure& failure) {
    return remember(failure.error().code, failure.error().message);
  } catch (const std::bad_alloc&) {
    return remember(ErrorCode::kIo, "out of memory");
  } catch (...) {
    return remember_defect();
  }
}

// The same, and zeroes the caller's buffer unless all went well.
template <typename Function>
sotto_status guarded(void* buffer, std::size_t size, const Function& function) noexcept {
  const sotto_status status = guarded(function);
  if (status != SOTTO_OK && buffer != nullptr) std::memset(buffer, 0, size);
  return status;
}

inline Error missing(const char* what) { return refuse(std::string(what) + ": NULL was given"); }

}  // namespace sotto::client
