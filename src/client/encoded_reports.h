// From records to reports as bytes, in the buffer of whoever asks. Draws with an Entropy of the calling thread's own.
// After a thread's first call with a release, one record at a time allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto.h"
#include "sotto/mechanism/release.h"

namespace sotto::client {

// 0 for an unknown format.
std::size_t report_size(const ReportCodec& codec, sotto_format format);

// `bytes` must have report_size() of them.
void write_report(const ReportCodec& codec, Report report, sotto_format format, std::span<std::uint8_t> bytes);

// Fills `reports`, which must be as large as the reports of these records. After an error it may hold some of them:
// the caller must zero it.
Status privatize_into(const Release& release, std::span<const float> values, std::span<const std::int32_t> labels,
                      sotto_format format, std::span<std::uint8_t> reports);

}  // namespace sotto::client
