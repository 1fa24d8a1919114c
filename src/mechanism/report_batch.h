// Reports of one release, and nothing else. There are two ways to fill a batch, drawing the reports and reading them
// off the wire, so that what takes a ReportBatch cannot be handed a record, or the point where a record lands before
// the noise. Whatever is computed from a batch alone is post-processing and costs no further budget.
//
// What the type cannot know: whether bytes read off the wire were drawn as they claim. Keeps its memory between
// batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sotto/kernel/entropy.h"
#include "sotto/mechanism/release.h"

namespace sotto {

class ReportBatch {
 public:
  explicit ReportBatch(Release release) : release_(std::move(release)) {}

  // Replaces the batch with fresh reports, as Release::privatize draws them. On error the batch is empty.
  Status privatize(std::span<const float> records, std::span<const std::int32_t> labels, std::size_t count,
                   Entropy& entropy);

  // Adds one report. It must be one that this release can make; on error the batch is as before.
  Status append_ndjson(std::string_view line);
  Status append_cbor(std::span<const std::uint8_t> bytes);
  Status append(const ReportBatch& other);  // of a release with the same mechanism and parameters
  void clear() { values_.clear(); }

  const Release& release() const { return release_; }
  std::size_t size() const { return values_.size() / release_.report_length(); }
  Report operator[](std::size_t i) const { return values().subspan(i * length(), length()); }  // the label last
  Report features(std::size_t i) const { return (*this)[i].first(release_.channel().report_length()); }
  std::optional<std::int64_t> label(std::size_t i) const;  // as reported
  std::span<const std::int64_t> values() const { return values_; }

 private:
  std::size_t length() const { return release_.report_length(); }
  template <typename Read>
  Status append(Read read);

  Release release_;
  std::vector<std::int64_t> values_;
};

}  // namespace sotto
