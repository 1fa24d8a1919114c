#include "sotto/mechanism/feature_decoder.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sotto {
namespace {

// The length of a lattice step in the encoder's units; 1 where there is no lattice.
double unit_of(const ConstraintSpec& constraint) {
  return std::visit(
      [](const auto& spec) {
        if constexpr (requires { spec.radius; })
          return spec.radius / static_cast<double>(spec.resolution);
        else
          return 1.0;
      },
      constraint);
}

}  // namespace

bool stands_for_one_encoding(const MechanismSpec& spec) {
  if (std::holds_alternative<CodebookSpec>(spec.constraint))
    return spec.channel != ChannelFamily::kSubsetSelection && spec.channel != ChannelFamily::kHadamardResponse;
  return std::holds_alternative<L1LatticeSpec>(spec.constraint) ||
         std::holds_alternative<L2LatticeSpec>(spec.constraint);
}

FeatureDecoder::FeatureDecoder(const Mechanism& mechanism)
    : mechanism_(mechanism), unit_(unit_of(mechanism.spec().constraint)) {
  if (mechanism_.spec().input.image) bounds_.push_back({0, 1, false});
  for (const Column& column : mechanism_.spec().input.columns) {
    if (column.kind == Column::Kind::kNumeric)
      bounds_.push_back({column.minimum, column.maximum, false});
    else
      bounds_.push_back({0, static_cast<double>(column.categories.size() - 1), true});
  }
}

Result<FeatureDecoder> FeatureDecoder::make(const Mechanism& mechanism) {
  if (!mechanism.spec().decoder)
    return refuse("level feature: this mechanism has no decoder, so its reports cannot become records");
  return FeatureDecoder(mechanism);
}

// accepts() has seen to it that a report is a lattice's integers or one code.
void FeatureDecoder::represent(Report report, std::span<float> representation) const {
  if (const auto* codebook = std::get_if<CodebookSpec>(&mechanism_.spec().constraint)) {
    const auto centroid = codebook->centroids.begin() + report[0] * static_cast<std::int64_t>(representation.size());
    std::copy_n(centroid, representation.size(), representation.begin());
    return;
  }
  std::transform(report.begin(), report.end(), representation.begin(),
                 [&](std::int64_t steps) { return static_cast<float>(static_cast<double>(steps) * unit_); });
}

float FeatureDecoder::finish(float value, const Bounds& bounds) const {
  if (mechanism_.spec().decoder->output == OutputMap::kSigmoid)
    value = static_cast<float>(bounds.minimum + (bounds.maximum - bounds.minimum) / (1.0 + std::exp(-value)));
  if (bounds.whole) value = std::nearbyint(value);
  if (!(value > bounds.minimum)) return static_cast<float>(bounds.minimum);  // NaN, too: weights can overflow
  return std::min(value, static_cast<float>(bounds.maximum));
}

Status FeatureDecoder::accepts(const Release& release) const {
  if (release.codec().header().mechanism_id != mechanism_.id())
    return refuse("reports: of another mechanism than the decoder");
  if (!stands_for_one_encoding(mechanism_.spec()))
    return refuse("level feature: a report of channel " + std::string(name_of(mechanism_.spec().channel)) +
                  " stands for many codes at once, so it cannot become a record; one of randomized_response can");
  if (release.label_join() != nullptr)
    return Error{ErrorCode::kUnsupported,
                 "reports: joined with their labels, so that they stand for no single encoding"};
  return {};
}

Status FeatureDecoder::decode(const ReportBatch& batch, std::span<float> records) {
  if (const Status status = accepts(batch.release()); !status) return status;
  if (records.size() != batch.size() * width())
    return refuse("room for records: expected " + std::to_string(batch.size() * width()) + " values, got " +
                  std::to_string(records.size()));
  const Network& network = mechanism_.spec().decoder->network;
  representations_.resize(batch.size() * network.input_width());
  for (std::size_t i = 0; i < batch.size(); ++i)
    represent(batch.features(i), std::span(representations_).subspan(i * network.input_width(), network.input_width()));
  decode_clean(representations_, batch.size(), records);
  return {};
}

void FeatureDecoder::decode_clean(std::span<const float> representations, std::size_t count, std::span<float> records) {
  mechanism_.spec().decoder->network.encode(representations, count, records, workspace_);
  for (std::size_t i = 0; i < records.size(); ++i) records[i] = finish(records[i], bounds_[i % bounds_.size()]);
}

}  // namespace sotto
