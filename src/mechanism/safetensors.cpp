#include "sotto/mechanism/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "sotto/mechanism/json_fields.h"
#include "sotto/wire/json_check.h"

namespace sotto {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensors are copied as they are");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeader = std::size_t{1} << 24;
constexpr std::size_t kMaxRank = 8;

std::size_t number(const json& value, std::size_t limit) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > limit) throw corrupt("a size is out of range");
  return value.get<std::size_t>();
}

struct Placed {
  std::size_t begin, end;
  std::string name;
  std::vector<std::size_t> shape;
};

Placed read_entry(const std::string& name, const json& entry, std::size_t body_size) {
  if (!entry.is_object() || entry.size() != 3 || entry.value("dtype", json()) != "F32" || !entry.contains("shape") ||
      !entry.contains("data_offsets"))
    throw corrupt("a tensor is not described by dtype F32, shape and data_offsets");
  const json& shape = entry.at("shape");
  const json& offsets = entry.at("data_offsets");
  if (!shape.is_array() || shape.size() > kMaxRank || !offsets.is_array() || offsets.size() != 2)
    throw corrupt("a tensor's shape or offsets are malformed");
  Placed placed{number(offsets[0], body_size), number(offsets[1], body_size), name, {}};
  std::size_t elements = 1;
  for (const json& extent : shape) {
    placed.shape.push_back(number(extent, body_size));  // at most 2^31, and so is `elements`: no overflow
    elements *= placed.shape.back();
    if (elements > body_size) throw corrupt("a tensor is larger than the file");
  }
  if (placed.end < placed.begin || placed.end - placed.begin != elements * sizeof(float))
    throw corrupt("a tensor's shape and offsets disagree");
  return placed;
}

std::map<std::string, std::string> read_metadata(const json& metadata) {
  std::map<std::string, std::string> result;
  if (!metadata.is_object()) throw corrupt("__metadata__ is not an object");
  for (const auto& [key, value] : metadata.items()) {
    if (!value.is_string()) throw corrupt("__metadata__ holds something other than text");
    result[key] = value.get<std::string>();
  }
  return result;
}

// The tensors must fill the body without gap or overlap, as the format demands: no byte escapes the description.
void expect_full_cover(std::vector<Placed>& entries, std::size_t body_size) {
  std::sort(entries.begin(), entries.end(),
            [](const Placed& a, const Placed& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  std::size_t position = 0;
  for (const Placed& entry : entries) {
    if (entry.begin != position) throw corrupt("tensors overlap or leave a gap");
    position = entry.end;
  }
  if (position != body_size) throw corrupt("bytes are left over after the last tensor");
}

Safetensors read_tensors(std::span<const std::byte> bytes) {
  if (bytes.size() < kLengthBytes || bytes.size() > kMaxSafetensorsBytes)
    throw corrupt("shorter than 8 bytes or longer than 2 GiB");
  std::uint64_t header_size = 0;
  std::memcpy(&header_size, bytes.data(), kLengthBytes);
  if (header_size > kMaxHeader || header_size > bytes.size() - kLengthBytes)
    throw corrupt("header length out of range");
  const auto header_bytes = bytes.subspan(kLengthBytes, header_size);
  const auto body = bytes.subspan(kLengthBytes + header_size);
  const std::string_view text(reinterpret_cast<const char*>(header_bytes.data()), header_size);
  if (const Status status = check_json(text); !status) throw corrupt("header: " + status.error().message);
  const json header = json::parse(text);
  if (!header.is_object()) throw corrupt("header is not a JSON object");

  Safetensors content;
  std::vector<Placed> entries;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__")
      content.metadata = read_metadata(entry);
    else
      entries.push_back(read_entry(name, entry, body.size()));
  }
  expect_full_cover(entries, body.size());
  for (Placed& entry : entries) {
    Tensor& tensor = content.tensors[entry.name];
    tensor.shape = std::move(entry.shape);
    tensor.values.resize((entry.end - entry.begin) / sizeof(float));
    if (!tensor.values.empty()) std::memcpy(tensor.values.data(), body.data() + entry.begin, entry.end - entry.begin);
  }
  return content;
}

}  // namespace

std::vector<std::byte> write_safetensors(const Safetensors& content) {
  json header = {{"__metadata__", content.metadata}};
  std::size_t offset = 0;
  for (const auto& [name, tensor] : content.tensors) {
    const std::size_t end = offset + tensor.values.size() * sizeof(float);
    header[name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // keeps the tensors aligned

  std::vector<std::byte> bytes(kLengthBytes + text.size() + offset);
  const std::uint64_t header_size = text.size();
  std::memcpy(bytes.data(), &header_size, kLengthBytes);
  std::memcpy(bytes.data() + kLengthBytes, text.data(), text.size());
  std::byte* next = bytes.data() + kLengthBytes + text.size();
  for (const auto& [name, tensor] : content.tensors) {
    if (tensor.values.empty()) continue;
    std::memcpy(next, tensor.values.data(), tensor.values.size() * sizeof(float));
    next += tensor.values.size() * sizeof(float);
  }
  return bytes;
}

Result<Safetensors> read_safetensors(std::span<const std::byte> bytes) {
  try {
    return read_tensors(bytes);
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kCorruptFile, error.what()};
  }
}

}  // namespace sotto
