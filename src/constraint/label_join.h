// A record's point and its label as one point, so that a single channel with the whole of ε can carry both, instead of
// two channels with a share each.
//
// On an L1 ball of dimension d the label y picks one of K blocks of d coordinates, which holds the point; all others
// are zero. Its norm is the point's, so joint points lie in the L1 ball of dimension d·K and of the same size, and any
// two of them, with whatever labels, are at most its diameter apart. A code c becomes the symbol c·K + y; if codes have
// distances, symbols with the same label have those of their codes, and others the largest. What the channel promises
// on the joint domain it therefore promises for record and label together. Proof: docs/proofs/label-join.md.
#pragma once

#include <cstdint>
#include <span>

#include "sotto/constraint/domain.h"

namespace sotto {

class LabelJoin {
 public:
  // Fails (kUnsupported) for domains other than an L1 ball or one set of categories.
  static Result<LabelJoin> make(const Domain& features, std::int64_t classes);

  const Domain& domain() const { return domain_; }
  std::int64_t classes() const { return classes_; }

  // `joint` must have point_length(domain()) elements. Throws Failure when the label is none of the classes or a size
  // is wrong.
  void join(Point point, std::int64_t label, std::span<std::int64_t> joint) const;

 private:
  LabelJoin(Domain domain, std::int64_t classes) : domain_(std::move(domain)), classes_(classes) {}

  Domain domain_;
  std::int64_t classes_;
};

}  // namespace sotto
