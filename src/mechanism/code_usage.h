// How the auxiliary records of a codebook mechanism are spread over its codes. Whoever makes the mechanism notes it in
// the provenance, as text; it is for people who want to know what the codes are worth, and nothing else depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sotto/mechanism/spec.h"

namespace sotto {

inline constexpr const char* kCodeSizesKey = "code_sizes";  // in the provenance: whole numbers with commas between

std::string code_sizes_text(std::span<const std::size_t> sizes);

struct CodeUsage {
  std::vector<std::uint64_t> sizes;  // auxiliary records of each code
  std::vector<double> shares;        // of all of them
  double effective_codes;            // e to the entropy of the shares: as many codes of equal size say as much
};

// Nothing for a mechanism without codes, or when the provenance does not hold one size for each.
std::optional<CodeUsage> code_usage(const MechanismSpec& spec);

// How many codes there are; 0 for a mechanism without a codebook.
std::size_t codes_in(const MechanismSpec& spec);

}  // namespace sotto
