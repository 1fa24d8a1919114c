// Finds codes of one encoder's records by any method and in any number. What the methods need of the records is
// computed once: their features, and those of their views when a cluster head is first asked for.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sotto/backprop/encode_all.h"
#include "sotto/train/code_assignment.h"
#include "sotto/train/view_features.h"

namespace sotto {

class CodeFinder {
 public:
  // Encoder, records and schema must outlive it.
  CodeFinder(const Network& encoder, const Dataset& auxiliary, const InputSchema& input, const ViewOptions& views)
      : encoder_(encoder),
        auxiliary_(auxiliary),
        input_(input),
        view_options_(views),
        features_(encode_all(encoder, auxiliary.values, auxiliary.rows)) {}

  std::span<const float> features() const { return features_; }
  std::size_t width() const { return encoder_.output_width(); }

  Result<CodeAssignment> find(const AssignmentOptions& options);

 private:
  const Network& encoder_;
  const Dataset& auxiliary_;
  const InputSchema& input_;
  ViewOptions view_options_;
  std::vector<float> features_;
  std::optional<ViewFeatures> views_;
};

}  // namespace sotto
