// Where a collector keeps reports for good. Reports arrive in deliveries, one or many at a time; a sender that does not
// know whether a delivery arrived sends it again with the same key, and it is kept once.
//
// A store knows nothing of mechanisms: reports of one release begin with the same bytes (their CBOR preamble, which
// names the mechanism and the privacy parameters) and go on with as many bytes each. It keeps the preamble once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sotto/kernel/result.h"
#include "sotto/wire/report_header.h"

namespace sotto {

using DeliveryKey = std::array<std::uint8_t, 16>;

struct Delivery {
  DeliveryKey key;            // drawn by the sender, the same whenever it sends this delivery
  std::string preamble;       // of all its reports
  std::uint64_t reports = 0;  // how many
  std::string packed;         // what follows the preamble in each, one after another
};

enum class Receipt {
  kKept,
  kKeptBefore,  // the same delivery, sent again
  kRefused,     // another delivery has this key
};

// All reports of one release.
struct StoredCollection {
  std::uint64_t number;  // of this store
  std::string preamble;
  std::uint64_t packed_length;  // of one report, in bytes
  std::uint64_t deliveries, reports;

  Result<ReportHeader> header() const;
};

// One thread at a time. Several processes may share what is stored.
class ReportStore {
 public:
  virtual ~ReportStore() = default;
  ReportStore(const ReportStore&) = delete;
  ReportStore& operator=(const ReportStore&) = delete;

  // All or none; what is kept survives a crash of the machine once this has returned.
  virtual Result<std::vector<Receipt>> keep(std::span<const Delivery> deliveries) = 0;

  virtual Result<std::vector<StoredCollection>> collections() = 0;

  // Calls visit(reports, packed) for each delivery of a collection, in the order of arrival, until it fails.
  using Visit = std::function<Status(std::uint64_t reports, std::span<const std::uint8_t> packed)>;
  virtual Status read(std::uint64_t collection, const Visit& visit) = 0;

 protected:
  ReportStore() = default;

  // Whether the numbers of a delivery go together; every store asks before it keeps one.
  static Status check(const Delivery& delivery);
};

}  // namespace sotto
