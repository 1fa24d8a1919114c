#include "sotto/mechanism/code_usage.h"

#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

namespace sotto {
namespace {

constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 40;  // so that no sum of hostile sizes overflows

// The file may say anything: empty unless it is `count` whole numbers with commas between.
std::vector<std::uint64_t> read_sizes(std::string_view text, std::size_t count) {
  std::vector<std::uint64_t> sizes;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    std::uint64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size > kMaxSize) return {};
    sizes.push_back(size);
    if (next == end) break;
    if (*next != ',' || sizes.size() == count) return {};
    at = next;
  }
  return sizes.size() == count ? sizes : std::vector<std::uint64_t>();
}

}  // namespace

std::string code_sizes_text(std::span<const std::size_t> sizes) {
  std::string text;
  for (const std::size_t size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

std::size_t codes_in(const MechanismSpec& spec) {
  const auto* codebook = std::get_if<CodebookSpec>(&spec.constraint);
  return codebook == nullptr ? 0 : codebook->centroids.size() / spec.encoder.output_width();
}

std::optional<CodeUsage> code_usage(const MechanismSpec& spec) {
  const std::size_t count = codes_in(spec);
  const auto found = spec.provenance.find(kCodeSizesKey);
  if (count == 0 || found == spec.provenance.end()) return std::nullopt;
  CodeUsage usage{read_sizes(found->second, count), {}, 0};
  const auto total = static_cast<double>(std::accumulate(usage.sizes.begin(), usage.sizes.end(), std::uint64_t{0}));
  if (total == 0) return std::nullopt;
  double entropy = 0;
  for (const std::uint64_t size : usage.sizes) {
    const double share = static_cast<double>(size) / total;
    usage.shares.push_back(share);
    if (share > 0) entropy -= share * std::log(share);
  }
  usage.effective_codes = std::exp(entropy);
  return usage;
}

}  // namespace sotto
