// The functions of sotto.h about budgets.
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sotto/client/border.h"
#include "sotto/client/encoded_reports.h"
#include "sotto/client/fingerprint.h"
#include "sotto/client/handles.h"
#include "sotto/client/options.h"

using sotto::client::guarded;
using sotto::client::missing;

namespace sotto::client {
namespace {

struct OneRecord {
  std::span<const float> values;
  std::span<const std::int32_t> label;  // one or none
};

// Drawn at most once. Stored as CBOR, whatever the format asked for, so that a record has one report in both.
Result<Ledger::Bytes> stored_report(Ledger& ledger, const Release& release, const OneRecord& record) {
  const ReportCodec& codec = release.codec();
  const auto label = record.label.empty() ? std::nullopt : std::optional(record.label[0]);
  const auto known_by = fingerprint(ledger.salt(), codec.header(), record.values, label);
  return ledger.release_once(known_by, release.claim(), [&]() -> Result<Ledger::Bytes> {
    Ledger::Bytes bytes(codec.cbor_length());
    const Status status = privatize_into(release, record.values, record.label, SOTTO_CBOR, bytes);
    if (!status) return status.error();
    return bytes;
  });
}

Status release_once(Ledger& ledger, const Release& release, const OneRecord& record, sotto_format format,
                    std::span<std::uint8_t> report) {
  const auto stored = stored_report(ledger, release, record);
  if (!stored) return stored.error();
  std::vector<std::int64_t> values(release.report_length());
  if (!release.codec().read_cbor(*stored, values))
    return Error{ErrorCode::kCorruptFile, "ledger: the report it holds about this record is none of this release"};
  write_report(release.codec(), values, format, report);
  return {};
}

void write_amount(const Rational& amount, char (&text)[SOTTO_AMOUNT_SIZE]) {
  const std::string exact = amount.to_string();
  if (exact.size() >= sizeof(text)) throw Failure({ErrorCode::kInvalidArgument, "amount: longer than announced"});
  std::memset(text, 0, sizeof(text));
  std::memcpy(text, exact.data(), exact.size());
}

sotto_balance balance_of(const Ledger& ledger) {
  sotto_balance balance{};
  balance.charges = ledger.spend_count();
  write_amount(ledger.total().epsilon, balance.total_epsilon);
  write_amount(ledger.total().delta, balance.total_delta);
  write_amount(ledger.spent().epsilon, balance.spent_epsilon);
  write_amount(ledger.spent().delta, balance.spent_delta);
  const Ledger::Amount remaining = ledger.remaining();
  write_amount(remaining.epsilon, balance.remaining_epsilon);
  write_amount(remaining.delta, balance.remaining_delta);
  return balance;
}

}  // namespace
}  // namespace sotto::client

sotto_status sotto_ledger_open(const sotto_ledger_options* options, sotto_ledger** ledger) {
  if (ledger != nullptr) *ledger = nullptr;
  return guarded([&]() -> sotto::Status {
    if (ledger == nullptr) return missing("ledger");
    const auto chosen = sotto::client::read_ledger_options(options);
    if (!chosen) return chosen.error();
    auto journal = sotto::open_file_journal(chosen->path);
    if (!journal) return journal.error();
    sotto::Entropy entropy;
    auto opened = sotto::Ledger::open(std::move(*journal), chosen->epsilon, chosen->delta,
                                      sotto::InexactClaims::kRefuse, entropy);
    if (!opened) return opened.error();
    *ledger = new sotto_ledger(std::move(*opened));
    return {};
  });
}

void sotto_ledger_free(sotto_ledger* ledger) { delete ledger; }

sotto_status sotto_ledger_privatize(sotto_ledger* ledger, const sotto_release* release, const float* values,
                                    size_t value_count, const int32_t* label, sotto_format format, void* report,
                                    size_t report_size) {
  return guarded(report, report_size, [&]() -> sotto::Status {
    if (ledger == nullptr) return missing("ledger");
    if (release == nullptr) return missing("release");
    if (values == nullptr) return missing("values");
    if (report == nullptr) return missing("report");
    const size_t size = sotto_release_report_size(release, format);
    if (size == 0) return sotto::refuse("format: neither SOTTO_CBOR nor SOTTO_NDJSON");
    if (report_size != size)
      return sotto::refuse("report_size: must be " + std::to_string(size) + ", got " + std::to_string(report_size));
    // Everything that can be refused is refused here: the ledger charges before the report is drawn.
    const sotto::client::OneRecord record{{values, value_count}, {label, label == nullptr ? size_t{0} : size_t{1}}};
    if (sotto::Status status = release->release.check_input(value_count, record.label, 1); !status) return status;
    const std::scoped_lock lock(ledger->mutex);
    return sotto::client::release_once(ledger->ledger, release->release, record, format,
                                       {static_cast<std::uint8_t*>(report), report_size});
  });
}

sotto_status sotto_ledger_balance(sotto_ledger* ledger, sotto_balance* balance) {
  return guarded([&]() -> sotto::Status {
    if (ledger == nullptr) return missing("ledger");
    if (balance == nullptr) return missing("balance");
    const size_t size = balance->struct_size;
    if (size < sizeof(sotto_balance) || size > sotto::client::kLargestStructure)
      return sotto::refuse("balance: struct_size is not the size of the structure");
    sotto_balance known{};
    {
      const std::scoped_lock lock(ledger->mutex);
      known = sotto::client::balance_of(ledger->ledger);
    }
    std::memset(static_cast<void*>(balance), 0, size);  // fields of a later version, too
    std::memcpy(balance, &known, sizeof(known));
    balance->struct_size = size;
    return {};
  });
}
