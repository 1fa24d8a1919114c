#include "sotto/learn/decoded_records.h"

#include "sotto/mechanism/feature_decoder.h"

namespace sotto {

Result<std::vector<float>> decoded_representations(const Mechanism& mechanism, std::span<const float> representations,
                                                   std::size_t count) {
  auto decoder = FeatureDecoder::make(mechanism);
  if (!decoder) return decoder.error();
  std::vector<float> records(count * decoder->width());
  decoder->decode_clean(representations, count, records);
  return records;
}

Result<std::vector<float>> decoded_reports(const Mechanism& mechanism, const ReportBatch& reports) {
  auto decoder = FeatureDecoder::make(mechanism);
  if (!decoder) return decoder.error();
  std::vector<float> records(reports.size() * decoder->width());
  if (const Status status = decoder->decode(reports, records); !status) return status.error();
  return records;
}

}  // namespace sotto
