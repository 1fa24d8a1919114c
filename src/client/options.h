// What the caller of the C interface chose. Structures begin with their size, so that programs and libraries of
// different ages understand each other or say that they do not: nothing that was asked for is silently left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "sotto.h"
#include "sotto/privacy/epsilon.h"
#include "sotto/wire/report_header.h"

namespace sotto::client {

inline constexpr std::size_t kLargestStructure = 4096;  // beyond this a size is no size, but something uninitialised

// Copies the part we know. A field that we do not know must be zero, which means that it is not used.
template <typename Structure>
Result<Structure> read_structure(const Structure* given, const char* name) {
  const auto wrong = [&](ErrorCode code, const char* what) { return Error{code, std::string(name) + ": " + what}; };
  if (given == nullptr) return wrong(ErrorCode::kInvalidArgument, "NULL was given");
  const std::size_t size = given->struct_size;
  if (size < sizeof(Structure) || size > kLargestStructure)
    return wrong(ErrorCode::kInvalidArgument, "struct_size is not the size of the structure");
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  if (std::any_of(bytes + sizeof(Structure), bytes + size, [](unsigned char byte) { return byte != 0; }))
    return wrong(ErrorCode::kUnsupported, "uses a field that this version of the library does not know");
  Structure known;
  std::memcpy(&known, given, sizeof(Structure));
  return known;
}

Result<ReleaseParameters> read_release_options(const sotto_release_options* given);

struct LedgerOptions {
  std::string path;
  Epsilon epsilon;
  Delta delta;
};
Result<LedgerOptions> read_ledger_options(const sotto_ledger_options* given);

}  // namespace sotto::client
