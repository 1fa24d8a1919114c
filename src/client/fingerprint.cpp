#include "sotto/client/fingerprint.h"

#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include "sotto/wire/sha256.h"

namespace sotto::client {
namespace {

// The parameters cannot contain a line feed and the digest has one length, so that no two releases give one text.
std::string text_of(const ReportHeader& release, std::optional<std::int32_t> label) {
  const ReleaseParameters& parameters = release.parameters;
  std::string text = "sotto-fingerprint-1\n";
  text.append(release.mechanism_id.begin(), release.mechanism_id.end());
  text += parameters.epsilon.to_string() + '\n' + parameters.delta.to_string() + '\n';
  text += (parameters.lambda ? parameters.lambda->to_string() : "") + '\n';
  text += std::string(parameters.joint ? "joint" : "") + '\n';
  text += (label ? std::to_string(*label) : "") + '\n';
  return text;
}

std::array<std::byte, 64> padded(const Ledger::Salt& key, std::byte pad) {
  std::array<std::byte, 64> block{};
  for (std::size_t i = 0; i < key.size(); ++i) block[i] = static_cast<std::byte>(key[i]);
  for (std::byte& byte : block) byte ^= pad;
  return block;
}

// Little-endian on every machine, so that a ledger may move with its owner.
void update(Sha256& hash, std::span<const float> record) {
  for (const float value : record) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    std::array<std::byte, 4> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(bits >> (8 * i));
    hash.update(bytes);
  }
}

}  // namespace

Ledger::Fingerprint fingerprint(const Ledger::Salt& salt, const ReportHeader& release, std::span<const float> record,
                                std::optional<std::int32_t> label) {
  Sha256 inner;
  inner.update(padded(salt, std::byte{0x36}));
  inner.update(std::as_bytes(std::span<const char>(text_of(release, label))));
  update(inner, record);
  Sha256 outer;
  outer.update(padded(salt, std::byte{0x5c}));
  outer.update(std::as_bytes(std::span<const std::uint8_t>(inner.finish())));
  return outer.finish();
}

}  // namespace sotto::client
