// By what a ledger recognises a record that it has released before: HMAC-SHA-256 [RFC 2104] of the record, its label
// and the release's parameters, keyed with the ledger's salt. Equal records give equal fingerprints on one device;
// without the salt nobody can compare fingerprints of two devices, or try records out.
//
// Equal means equal bits: 0 and −0, or two NaNs, are two records. They get a report each and are charged twice, which
// errs on the safe side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sotto/privacy/ledger.h"
#include "sotto/wire/report_header.h"

namespace sotto::client {

Ledger::Fingerprint fingerprint(const Ledger::Salt& salt, const ReportHeader& release, std::span<const float> record,
                                std::optional<std::int32_t> label);

}  // namespace sotto::client
