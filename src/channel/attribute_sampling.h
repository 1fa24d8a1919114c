// inexact: how Piecewise and Hybrid treat many coordinates [Wan19, Alg. 4].
//
// k = max(1, min(d, ⌊ε/2.5⌋)) of the d coordinates are chosen uniformly, each is perturbed alone with ε/k, the others
// are not looked at. A report is k pairs (index, value) in order of index; a value is a multiple of 2^−20 on the scale
// where a coordinate runs from −1 to 1.
//
// Guarantees ε-LDP if `law(ε/k)` is ε/k-LDP: the choice ignores the record, and k laws compose. Does not guarantee it
// for the floating-point program: see docs/proofs/inexact.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sotto/channel/channel.h"

namespace sotto {

inline constexpr std::int64_t kCellsPerUnit = std::int64_t{1} << 20;

// A randomised map of one number t ∈ [−1, 1] to an integer v with E[v] = t·kCellsPerUnit (up to rounding).
class AttributeLaw {
 public:
  AttributeLaw() = default;
  virtual ~AttributeLaw() = default;
  AttributeLaw(const AttributeLaw&) = delete;
  AttributeLaw& operator=(const AttributeLaw&) = delete;

  virtual std::int64_t bound() const = 0;  // |v| never exceeds it
  virtual std::int64_t draw(double t, Entropy& entropy) const = 0;
  virtual double pmf(std::int64_t value, double t) const = 0;  // P(v = value | t)
};

// All coordinates must be ordered; level j of n stands for t = 2j/(n−1) − 1.
Result<std::unique_ptr<Channel>> make_attribute_sampling(
    Product box, const Epsilon& epsilon, const std::function<std::unique_ptr<AttributeLaw>(double epsilon)>& law);

}  // namespace sotto
