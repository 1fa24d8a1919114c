// A mechanism with its privacy parameters set: the thing that turns records into reports, together with its claim.
//
// privatize() is the border of the guarantee. Whatever the record holds, the outcome is one report drawn as claimed, or
// an error and no report. Threads may share a Release, each with an Entropy of its own: it never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sotto/channel/channel.h"
#include "sotto/constraint/constraint.h"
#include "sotto/constraint/label_join.h"
#include "sotto/encoder/network.h"
#include "sotto/wire/report_codec.h"

namespace sotto {

// Inexact channels exist to be compared with. A device refuses them.
enum class InexactChannels { kRefuse, kAllowForExperiments };

class Mechanism;

class Release {
 public:
  const Claim& claim() const { return claim_; }
  const ReportCodec& codec() const { return *codec_; }
  const Channel& channel() const { return *channel_; }
  const Channel* label_channel() const { return label_channel_.get(); }
  const LabelJoin* label_join() const { return label_join_.get(); }
  bool takes_labels() const { return label_channel_ != nullptr || label_join_ != nullptr; }
  std::size_t record_length() const { return encoder_->input_width(); }
  std::size_t report_length() const { return codec_->fields().size(); }

  // Whether privatize() would take so many values, with these labels, as `count` records. For those who must know
  // before they pay: a budget ledger charges first.
  Status check_input(std::size_t values, std::span<const std::int32_t> labels, std::size_t count) const;

  // `records` holds `count` records one after another, `labels` one label each (none if no label is released). Fills
  // `reports`, count × report_length(), the label last. On error, lack of memory included, all of `reports` is zero.
  Status privatize(std::span<const float> records, std::span<const std::int32_t> labels, std::size_t count,
                   Entropy& entropy, std::span<std::int64_t> reports) const;

  // Where a record lands before any noise and without its label: for planning, auditing and tests, never to be
  // released.
  Result<std::vector<std::int64_t>> point_of(std::span<const float> record) const;
  Result<std::vector<std::int64_t>> points_of(std::span<const float> records, std::size_t count) const;  // in a row

 private:
  friend class Mechanism;
  Release(std::shared_ptr<const Network> encoder, std::shared_ptr<const Constraint> constraint,
          std::shared_ptr<const Channel> channel, std::shared_ptr<const Channel> label_channel,
          std::shared_ptr<const LabelJoin> label_join, Claim claim, const ReportHeader& header);

  Status draw(std::span<const float> encodings, std::span<const std::int32_t> labels, std::size_t count,
              Entropy& entropy, std::span<std::int64_t> reports) const;

  std::shared_ptr<const Network> encoder_;
  std::shared_ptr<const Constraint> constraint_;
  std::shared_ptr<const Channel> channel_;
  std::shared_ptr<const Channel> label_channel_;
  std::shared_ptr<const LabelJoin> label_join_;
  Claim claim_;
  std::shared_ptr<const ReportCodec> codec_;
};

}  // namespace sotto
