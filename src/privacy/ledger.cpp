#include "sotto/privacy/ledger.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

namespace sotto {
namespace {

// The words that begin an entry of the journal, with what follows them. Terms are epsilon, delta and exactness.
constexpr const char* kHeader = "sotto-ledger-1";  // total epsilon, total delta, salt
constexpr const char* kSpend = "spend";            // terms
constexpr const char* kCharge = "charge";          // fingerprint, terms: a report is to follow
constexpr const char* kReport = "report";          // fingerprint, report

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) (text += "0123456789abcdef"[byte >> 4]) += "0123456789abcdef"[byte & 15];
  return text;
}

std::optional<Ledger::Bytes> from_hex(const std::string& text) {
  Ledger::Bytes bytes(text.size() / 2);
  bool valid = text.size() % 2 == 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* digits = text.data() + 2 * i;
    valid = valid && std::from_chars(digits, digits + 2, bytes[i], 16).ptr == digits + 2;
  }
  return valid ? std::optional(bytes) : std::nullopt;
}

std::string to_text(const Ledger::Amount& amount) {
  return "epsilon = " + amount.epsilon.to_string() + ", delta = " + amount.delta.to_string();
}

std::string terms_of(const Claim& claim) {
  return claim.epsilon.to_string() + ' ' + claim.delta.to_string() +
         (claim.exactness == Exactness::kExact ? " exact" : " inexact");
}

// Takes the next word off the front of an entry; "" at its end. (A stream would, too, and bring its half megabyte of
// locales to every device.)
std::string take_word(std::string_view& entry) {
  const std::string_view word = entry.substr(0, entry.find(' '));
  entry.remove_prefix(std::min(entry.size(), word.size() + 1));
  return std::string(word);
}

// Samplers and entropy throw; a library border returns.
template <typename Function>
auto caught(const Function& function) -> decltype(function()) {
  try {
    return function();
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<std::string> make_header(const Ledger::Amount& total, Entropy& entropy) {
  return caught([&]() -> Result<std::string> {
    Ledger::Salt salt;
    for (std::uint8_t& byte : salt) byte = entropy.take<std::uint8_t>();
    return std::string(kHeader) + ' ' + total.epsilon.to_string() + ' ' + total.delta.to_string() + ' ' + to_hex(salt);
  });
}

}  // namespace

Ledger::Ledger(std::unique_ptr<Journal> journal, Amount total, InexactClaims inexact_claims)
    : journal_(std::move(journal)), total_(total), inexact_claims_(inexact_claims) {}

Result<Ledger> Ledger::open(std::unique_ptr<Journal> journal, const Epsilon& epsilon, const Delta& delta,
                            InexactClaims inexact_claims, Entropy& entropy) {
  const Amount budget{epsilon.value(), delta.value()};
  std::vector<std::string> entries = journal->take_entries();
  if (entries.empty()) {
    const auto header = make_header(budget, entropy);
    if (!header) return header.error();
    if (const Status status = journal->append(*header); !status) return status.error();
    entries.push_back(*header);
  }
  Ledger ledger(std::move(journal), budget, inexact_claims);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!(i == 0 ? ledger.apply_header(entries[i]) : ledger.apply(entries[i])))
      return Error{ErrorCode::kCorruptFile, "ledger: entry " + std::to_string(i + 1) + " makes no sense"};
  if (ledger.total_ == budget) return ledger;
  return refuse("budget: fixed at creation as " + to_text(ledger.total_) + "; got " + to_text(budget));
}

bool Ledger::apply_header(const std::string& entry) {
  std::string_view words = entry;
  const std::string word = take_word(words);
  const auto epsilon = Rational::parse(take_word(words));
  const auto delta = Rational::parse(take_word(words));
  const auto salt = from_hex(take_word(words));
  if (word != kHeader || !epsilon || !delta || !salt || salt->size() != salt_.size()) return false;
  total_ = {*epsilon, *delta};
  std::copy(salt->begin(), salt->end(), salt_.begin());
  return true;
}

bool Ledger::apply(const std::string& entry) {
  std::string_view words = entry;
  const std::string word = take_word(words);
  const std::string fingerprint = word == kSpend ? "" : take_word(words);
  const auto memo = memos_.find(fingerprint);
  if (word == kReport) {
    if (memo == memos_.end() || memo->second.report) return false;
    memo->second.report = from_hex(take_word(words));
    return memo->second.report.has_value();
  }
  const std::string epsilon_text = take_word(words), delta_text = take_word(words), exactness = take_word(words);
  const auto epsilon = Rational::parse(epsilon_text);
  const auto delta = Rational::parse(delta_text);
  if ((word != kSpend && word != kCharge) || !epsilon || !delta || memo != memos_.end()) return false;
  const auto spent = spent_after({*epsilon, *delta});
  if (!spent) return false;
  if (word == kCharge) memos_[fingerprint].terms = epsilon_text + ' ' + delta_text + ' ' + exactness;
  spent_ = *spent;
  ++spend_count_;
  return true;
}

// The one way to change a ledger: what is applied is what a later open() will read.
Status Ledger::commit(const std::string& entry) {
  failed_ = true;  // and stays so if anything below throws
  const Status status = journal_->append(entry);
  failed_ = !status || !apply(entry);
  return status;
}

Result<Ledger::Amount> Ledger::spent_after(const Amount& asked) const {
  const auto epsilon = add(spent_.epsilon, asked.epsilon, Rounding::kUp);
  const auto delta = add(spent_.delta, asked.delta, Rounding::kUp);
  if (epsilon && delta && *epsilon <= total_.epsilon && *delta <= total_.delta) return Amount{*epsilon, *delta};
  return Error{ErrorCode::kBudgetExceeded,
               "budget: total " + to_text(total_) + "; spent " + to_text(spent_) + "; asked " + to_text(asked)};
}

Ledger::Amount Ledger::remaining() const {  // spent_ ≤ total_ always, so neither difference can fail
  return {*subtract(total_.epsilon, spent_.epsilon, Rounding::kDown),
          *subtract(total_.delta, spent_.delta, Rounding::kDown)};
}

Status Ledger::check(const Claim& claim) const {
  if (failed_) return Error{ErrorCode::kIo, "ledger: an earlier write failed; open it again before further releases"};
  if (claim.exactness != Exactness::kExact && inexact_claims_ != InexactClaims::kAllow)
    return Error{ErrorCode::kUnsupported, "claim: this ledger accepts exact claims only, got " + claim.to_string()};
  return {};
}

Status Ledger::charge(const std::string& entry, const Claim& claim) {
  const auto affordable = spent_after({claim.epsilon.value(), claim.delta.value()});
  return affordable ? commit(entry) : affordable.error();
}

Status Ledger::spend(const Claim& claim) {
  if (const Status status = check(claim); !status) return status;
  return charge(std::string(kSpend) + ' ' + terms_of(claim), claim);
}

Result<Ledger::Bytes> Ledger::release_once(const Fingerprint& fingerprint, const Claim& claim,
                                           const std::function<Result<Bytes>()>& make_report) {
  if (const Status status = check(claim); !status) return status.error();
  const std::string key = to_hex(fingerprint);
  const std::string terms = terms_of(claim);
  if (!memos_.contains(key)) {
    const Status status = charge(std::string(kCharge) + ' ' + key + ' ' + terms, claim);
    if (!status) return status.error();
  }
  const Memo& memo = memos_.at(key);
  if (memo.terms != terms)
    return refuse("claim: this fingerprint was used with \"" + memo.terms + "\", got \"" + terms +
                  "\" (epsilon, delta, exactness)");
  if (!memo.report) {
    const auto report = caught(make_report);
    if (!report) return report.error();
    const Status status = commit(std::string(kReport) + ' ' + key + ' ' + to_hex(*report));
    if (!status) return status.error();
  }
  return *memo.report;
}

}  // namespace sotto
