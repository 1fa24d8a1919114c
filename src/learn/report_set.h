// What a learner takes from reports of one release.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/mechanism/report_batch.h"

namespace sotto {

struct ReportSet {
  std::vector<std::int64_t> features;  // one report after another
  std::vector<std::int32_t> labels;    // as reported, with a share of epsilon of their own; empty when joined
};

// The given reports of a batch.
ReportSet report_set_of(const ReportBatch& batch, std::span<const std::uint32_t> rows);

// The same reports, those of the same label together: a denoising pass is fastest that way.
ReportSet sorted_by_label(const ReportSet& reports);

}  // namespace sotto
