// The budget of one data owner: what may be released in all, what was, and the reports themselves, so that asking twice
// about one record releases one report.
//
// Guarantees: a release is on the disk before the caller sees it, so that no crash makes the ledger forget one;
// whatever goes wrong, `spent` is never below what was released. Sums are exact; one that needs more than 44 bits is
// rounded up. A call that fails changes nothing, except that a spend whose report was not made or not stored stays
// spent. After a failed write every call fails, until the ledger is opened again. Arguments: docs/proofs/ledger.md.
//
// What it does not protect against: see journal.h. Not thread-safe: one owner.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sotto/kernel/entropy.h"
#include "sotto/kernel/result.h"
#include "sotto/privacy/claim.h"
#include "sotto/privacy/journal.h"

namespace sotto {

enum class InexactClaims { kRefuse, kAllow };

class Ledger {
 public:
  struct Amount {
    Rational epsilon, delta;
    bool operator==(const Amount&) const = default;
  };
  using Bytes = std::vector<std::uint8_t>;
  using Fingerprint = std::array<std::uint8_t, 32>;
  using Salt = std::array<std::uint8_t, 32>;

  // An empty journal becomes a new ledger with this budget and a salt drawn from `entropy`; any other must be a ledger
  // with the same budget.
  static Result<Ledger> open(std::unique_ptr<Journal> journal, const Epsilon& epsilon, const Delta& delta,
                             InexactClaims inexact_claims, Entropy& entropy);

  // Counts a release that the caller makes after this returns success, and only then.
  Status spend(const Claim& claim);

  // The report about one record, identified by a fingerprint that the caller computes from the record keyed with
  // salt(). The first time: spends, calls `make_report` (which must not use this ledger), stores its bytes, returns
  // them. Afterwards: returns the same bytes and spends nothing. A spend whose report never came is used when asked
  // again. Error if the fingerprint was used with another claim.
  Result<Bytes> release_once(const Fingerprint& fingerprint, const Claim& claim,
                             const std::function<Result<Bytes>()>& make_report);

  const Amount& total() const { return total_; }
  const Amount& spent() const { return spent_; }
  Amount remaining() const;
  std::size_t spend_count() const { return spend_count_; }
  const Salt& salt() const { return salt_; }

 private:
  struct Memo {
    std::string terms;            // of the claim that was charged
    std::optional<Bytes> report;  // none while pending
  };

  Ledger(std::unique_ptr<Journal> journal, Amount total, InexactClaims inexact_claims);

  Status check(const Claim& claim) const;
  Result<Amount> spent_after(const Amount& asked) const;
  Status charge(const std::string& entry, const Claim& claim);
  Status commit(const std::string& entry);
  bool apply_header(const std::string& entry);
  bool apply(const std::string& entry);

  std::unique_ptr<Journal> journal_;
  Amount total_;
  Amount spent_;
  InexactClaims inexact_claims_;
  Salt salt_{};
  std::map<std::string, Memo> memos_;  // by fingerprint, in hexadecimal
  std::size_t spend_count_ = 0;
  bool failed_ = false;  // a write went wrong: memory and disk may differ
};

}  // namespace sotto
