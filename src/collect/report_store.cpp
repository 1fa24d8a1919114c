#include "sotto/collect/report_store.h"

namespace sotto {

Result<ReportHeader> StoredCollection::header() const {
  const std::string report = preamble + std::string(packed_length, '\0');  // one that nobody sent, with the same header
  return read_cbor_header({reinterpret_cast<const std::uint8_t*>(report.data()), report.size()});
}

Status ReportStore::check(const Delivery& delivery) {
  if (delivery.preamble.empty() || delivery.reports == 0 || delivery.packed.empty() ||
      delivery.packed.size() % delivery.reports != 0)
    return refuse("delivery: must have a preamble and reports of the same length, got " +
                  std::to_string(delivery.reports) + " reports in " + std::to_string(delivery.packed.size()) +
                  " bytes");
  return {};
}

}  // namespace sotto
