// Floats that begin where a cache line does, so that no vector of them straddles two: that would halve the rate at
// which the denoising pass reads.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sotto {

template <class Value>
struct LineAllocator {
  using value_type = Value;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  Value* allocate(std::size_t count) { return static_cast<Value*>(::operator new(count * sizeof(Value), kLine)); }
  void deallocate(Value* values, std::size_t) { ::operator delete(values, kLine); }
  bool operator==(const LineAllocator&) const = default;
};

using AlignedFloats = std::vector<float, LineAllocator<float>>;

}  // namespace sotto
