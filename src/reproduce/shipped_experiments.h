// The files of experiments/, compiled in so that an installed program has them.
#pragma once

#include <span>
#include <string_view>

namespace sotto {

struct ShippedExperiment {
  std::string_view name, toml;
};

std::span<const ShippedExperiment> shipped_experiments();

}  // namespace sotto
