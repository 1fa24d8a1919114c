// Principal components as an encoder: the simplest learnt mechanism, and the papers' linear baseline [Man21, App. G].
// Fitted on auxiliary data that the collector already has; costs nobody any budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sotto/data/dataset.h"
#include "sotto/mechanism/spec.h"

namespace sotto {

struct PcaOptions {
  std::size_t dimension = 8;
  std::optional<double> l1_radius;  // default: the median L1 norm of the auxiliary encodings
  std::int64_t resolution = std::int64_t{1} << 16;
};

struct PcaFit {
  MechanismSpec spec;         // linear encoder and decoder + L1 lattice + lattice Laplace
  double explained_variance;  // share of the total, 0 … 1
  double l1_radius;
};

// Every value of the auxiliary data must be finite. The result depends on the data alone (signs are fixed by making the
// largest weight of each component positive).
Result<PcaFit> fit_pca(const Dataset& auxiliary, const InputSchema& input, const std::optional<LabelSchema>& label,
                       const PcaOptions& options);

}  // namespace sotto
