#include "sotto/data/report_framing.h"

#include <string>

#include "sotto/wire/cbor.h"

namespace sotto {

// Only one encoding is read, so that writing the head again tells how many bytes it took.
std::optional<std::uint64_t> cbor_report_length(std::span<const std::uint8_t> bytes) {
  CborReader reader(bytes);
  const auto entries = reader.head(CborMajor::kMap);
  const auto first = reader.text();
  const auto id = reader.bytes();
  if (!entries || !first || !id) return std::nullopt;
  std::string head;
  append_cbor_head(CborMajor::kMap, *entries, head);
  append_cbor_text(*first, head);
  append_cbor_head(CborMajor::kBytes, id->size(), head);
  for (std::uint64_t i = 2; i < *entries; ++i) {
    const auto key = reader.text();
    const auto value = reader.text();
    if (!key || !value) return std::nullopt;
    append_cbor_text(*key, head);
    append_cbor_text(*value, head);
  }
  const auto last = reader.text();
  const auto content = reader.head(CborMajor::kBytes);
  if (!last || !content || *content > kMaxReportBytes) return std::nullopt;
  append_cbor_text(*last, head);
  append_cbor_head(CborMajor::kBytes, *content, head);
  return head.size() + id->size() + *content;
}

}  // namespace sotto
