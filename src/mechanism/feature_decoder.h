// Reports as records: what a mechanism's decoder makes of a reported representation, in the form of the input schema.
//
// Post-processing: decode() sees a report and public data, never a record, so a decoded record is as private as its
// report, whatever the decoder does. It guarantees values that the schema allows: pixels between 0 and 1, numbers
// between their bounds, categories that exist. It does not guarantee that they resemble anybody's record: noise is
// decoded too.
#pragma once

#include <span>
#include <vector>

#include "sotto/mechanism/mechanism.h"
#include "sotto/mechanism/report_batch.h"

namespace sotto {

// Whether a report can be decoded: a lattice's integers and a single code stand for one encoding. A report of subset
// selection or Hadamard response stands for many codes at once; there a decoder shows what a code is, and no more.
bool stands_for_one_encoding(const MechanismSpec& spec);

class FeatureDecoder {
 public:
  // An error (kInvalidArgument) when the mechanism has no decoder.
  static Result<FeatureDecoder> make(const Mechanism& mechanism);

  std::size_t width() const { return mechanism_.spec().input.width(); }

  // Why reports of this release cannot be decoded, if they cannot: of another mechanism, joined with their labels, or
  // of many codes each.
  Status accepts(const Release& release) const;

  // Fills `records`, batch.size() × width(). The reports must be of a release that accepts() has nothing against.
  // Allocates nothing once it has seen a batch of that size. One decoder per thread.
  Status decode(const ReportBatch& batch, std::span<float> records);

  // The same for representations that came from no report: a codebook's centroids, or what a classifier of decoded
  // reports sees of a record that the collector may see. Not for release: nothing here adds noise.
  void decode_clean(std::span<const float> representations, std::size_t count, std::span<float> records);

 private:
  struct Bounds {
    double minimum, maximum;
    bool whole;  // a category
  };

  explicit FeatureDecoder(const Mechanism& mechanism);
  void represent(Report report, std::span<float> representation) const;
  float finish(float value, const Bounds& bounds) const;

  Mechanism mechanism_;
  std::vector<Bounds> bounds_;  // one, of all pixels, or one a column
  double unit_ = 1;             // of a lattice's integers
  std::vector<float> representations_;
  Network::Workspace workspace_;
};

}  // namespace sotto
